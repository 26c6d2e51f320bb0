//! The content of the log. A log that cannot be written affects no answer.

use std::fs::OpenOptions;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use crate::database::Database;
use crate::gateway::{self, BODY, Gateway};
use crate::receiver::Receiver;

const OPTIONS: [&str; 5] = [
    "--callback-allow",
    "127.0.0.0/8",
    "--callback-pause",
    "100",
    "--simulate-acquirer=50",
];

/// Every payment is answered once, and every event is delivered once.
async fn works(gateway: &mut Gateway, database: &Database) {
    let receiver = Receiver::start().await;
    let token = gateway::token(database, "shop-42");
    let body = BODY.replace('}', &format!(r#","callback":"{}"}}"#, receiver.url));
    for number in 0..3 {
        let created = gateway
            .create(&token, Some(&format!("order-{number}")), &body)
            .await;
        assert_eq!(created.status, 201, "{}", created.text);
    }
    assert_eq!(gateway.get("/readyz", None).await.status, 200);
    assert_eq!(receiver.wait(6).await.len(), 6);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(receiver.received().len(), 6, "no event is delivered again");
    assert!(gateway.child.try_wait().unwrap().is_none(), "it goes on");
    gateway.terminate();
    let ended = tokio::time::timeout(Duration::from_secs(10), gateway.child.wait())
        .await
        .unwrap()
        .unwrap();
    assert!(ended.success(), "{ended}");
}

fn full() -> Stdio {
    OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap()
        .into()
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_reads_the_log_from_the_start() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let database = Database::sqlite();
    let mut gateway = Gateway::start_with_log(&database, &OPTIONS, writer.into()).await;
    works(&mut gateway, &database).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_disk_of_the_log_is_full() {
    for database in Database::both().await {
        let mut gateway = Gateway::start_with_log(&database, &OPTIONS, full()).await;
        works(&mut gateway, &database).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reader_of_the_log_ends_later() {
    let (reader, writer) = std::io::pipe().unwrap();
    let database = Database::sqlite();
    let mut gateway = Gateway::start_with_log(&database, &OPTIONS, writer.into()).await;
    drop(reader);
    works(&mut gateway, &database).await;
}

/// The pipe takes 64 KiB, and then a write waits for ever.
#[tokio::test(flavor = "multi_thread")]
async fn the_reader_of_the_log_hangs() {
    let (_reader, writer) = std::io::pipe().unwrap();
    let database = Database::sqlite();
    let gateway = Gateway::start_with_log(&database, &["--log", "trace"], writer.into()).await;
    let token = gateway::token(&database, "shop-42");
    for number in 0..100 {
        let created =
            tokio::time::timeout(Duration::from_secs(5), gateway.create(&token, None, BODY)).await;
        assert_eq!(
            created
                .unwrap_or_else(|_| panic!("request {number} waits for the log"))
                .status,
            201
        );
    }
}

/// Values that no line may contain, beside those that are made here.
const PAN: &str = "4111111111111111";

#[tokio::test(flavor = "multi_thread")]
async fn lines_have_the_fields_of_the_schema_and_no_secrets() {
    let schema: Value = serde_json::from_str(include_str!("../../../log.schema.json")).unwrap();
    let schema = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .unwrap();
    for database in Database::both().await {
        let receiver = Receiver::start().await;
        receiver.refuse(1);
        let (token, operator) = (
            gateway::token(&database, "shop-42"),
            gateway::operator(&database, "anna"),
        );
        let (_, listed, _) = gateway::run(&database, &["token", "list"]);
        let (_, secret, _) = gateway::run(&database, &["secret", "--merchant", "shop-42"]);
        let gateway = Gateway::start(&database, &OPTIONS).await;
        // Texts that clients plant: in names, values, keys, paths, headers, and callbacks.
        let planted = format!(
            r#","callback":"{}?key=planted-1","system":"planted-2","planted-3":"{PAN}"}}"#,
            receiver.url
        );
        let created = gateway
            .create(&token, Some("planted-4"), &BODY.replace('}', &planted))
            .await;
        assert_eq!(created.status, 201, "{}", created.text);
        gateway
            .create(
                "planted-5",
                Some("planted-6"),
                &format!(r#"{{"planted-7":"{PAN}"}}"#),
            )
            .await;
        gateway
            .get(&format!("/planted-8/{PAN}?planted-9"), Some(&token))
            .await;
        gateway
            .get(&format!("/v1/payments/{PAN}/status"), Some(&token))
            .await;
        gateway.get("/operator/audit", Some("planted-10")).await;
        gateway.get("/operator/audit", Some(&operator)).await;
        receiver.wait(3).await;
        let answer = gateway
            .request(reqwest::Method::GET, "/v1/partner/balance", Some(&token))
            .send()
            .await
            .unwrap();
        let id = answer.headers()["x-request-id"]
            .to_str()
            .unwrap()
            .to_owned();
        gateway.log_with("an event is delivered").await;
        let log = gateway.log_with(&id).await;
        for hidden in [
            &token,
            &operator,
            secret.trim(),
            PAN,
            "planted",
            "Bearer",
            "whsec_",
        ] {
            assert!(!log.contains(hidden), "{hidden} is logged: {log}");
        }
        let lines: Vec<Value> = log
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert!(lines.len() > 12, "{log}");
        for line in &lines {
            let errors: Vec<_> = schema
                .iter_errors(line)
                .map(|error| error.to_string())
                .collect();
            assert!(errors.is_empty(), "{errors:?}: {line}");
        }
        let own =
            |line: &&Value| line["span"]["request"] == id.as_str() && line["message"] == "request";
        let request = lines
            .iter()
            .find(own)
            .unwrap_or_else(|| panic!("{id}: {log}"));
        let token_id = listed.split_whitespace().next().unwrap();
        let span = json!({"name": "request", "request": id, "peer": "127.0.0.1", "merchant": "shop-42", "token": token_id});
        assert_eq!(request["span"], span);
        assert!(lines.iter().any(|line| line["span"]["operator"] == "anna"));
        // A warning in the middle of a request names it too.
        let warning = lines
            .iter()
            .find(|line| line["message"] == "a request with a warning")
            .unwrap();
        assert_eq!(
            (&warning["span"]["merchant"], &warning["span"]["token"]),
            (&json!("shop-42"), &json!(token_id))
        );
        let delivery = lines
            .iter()
            .find(|line| line["message"] == "an event is delivered")
            .unwrap();
        assert_eq!(delivery["merchant"], "shop-42");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_of_clients_can_be_left_out() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    for (options, logged) in [
        (&["--trusted-proxy", "127.0.0.1/32"] as &[_], true),
        (
            &["--trusted-proxy", "127.0.0.1/32", "--log-peers=false"],
            false,
        ),
    ] {
        let gateway = Gateway::start(&database, options).await;
        let request = gateway.request(reqwest::Method::GET, "/v1/partner/balance", Some(&token));
        let answer = request
            .header("x-forwarded-for", "192.0.2.77")
            .send()
            .await
            .unwrap();
        let log = gateway
            .log_with(answer.headers()["x-request-id"].to_str().unwrap())
            .await;
        assert_eq!(log.contains(r#""peer":"192.0.2.77""#), logged, "{log}");
        assert!(logged || !log.contains("192.0.2.77"), "{log}");
    }
}
