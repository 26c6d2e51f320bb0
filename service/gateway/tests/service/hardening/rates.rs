//! Payments are converted only by rates that the operator has chosen.

use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

use crate::database::Database;
use crate::gateway::{self, Gateway};

const CRYPTO: &str = r#"{"payment_type":"pay_in","mode":"CRYPTO","cur":"RUB","amount":"1000.00"}"#;

#[tokio::test(flavor = "multi_thread")]
async fn without_rates_there_is_no_quote() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let gateway = Gateway::start(&database, &[]).await;
    let answer = gateway.create(&token, None, CRYPTO).await;
    assert_eq!(
        (answer.status, answer.code().as_str()),
        (455, "quote_missing"),
        "{}",
        answer.text
    );
    assert!(!gateway.log().contains("invented"));
    let gateway = Gateway::start(&database, &["--demo-rates"]).await;
    assert_eq!(gateway.create(&token, None, CRYPTO).await.status, 201);
    gateway
        .log_with("the rates of mode CRYPTO are invented")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rates_over_http_come_from_this_machine_only() {
    let database = Database::sqlite();
    for url in [
        "http://rates.example/?key=hush",
        "http://10.0.0.1/?key=hush",
        "http://localhost.example/?key=hush",
    ] {
        let mut command = Command::new(gateway::PROGRAM);
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--rates", url])
            .env("GATEWAY_DATABASE", &database.url);
        // It would go on for ever if it started.
        let ended = timeout(Duration::from_secs(10), command.kill_on_drop(true).output()).await;
        let output = ended
            .unwrap_or_else(|_| panic!("{url} is accepted"))
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && error.contains("use https") && !error.contains("hush"),
            "{url}: {error}"
        );
    }
    for url in [
        "http://127.0.0.1:9/",
        "http://[::1]:9/",
        "http://localhost:9/",
        "https://rates.example/",
    ] {
        Gateway::start(&database, &["--rates", url]).await;
    }
}
