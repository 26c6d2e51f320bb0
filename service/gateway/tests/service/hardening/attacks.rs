//! Attacks that found nothing, so that they go on finding nothing: card numbers in every place of a
//! request.

use reqwest::{Method, RequestBuilder};

use crate::card_numbers::card_number;
use crate::database::Database;
use crate::gateway::{self, Answer, Gateway};

const CREATE: &str = "/v1/payments/new";
const SESSIONS: &str = "/checkout/sessions";
/// The payments of visitors. Each body has a session of its own.
const VISITOR: &str = "/checkout/api/payments";
const CONVERT: &str = "/checkout/api/convert";
const REPORTS: &str = "/checkout/api/reports";

/// The security code of the bodies, as they write it: four digits alone are part of some identifiers.
const CODES: [&str; 3] = [r#""security_code":"739"#, r#""cvv":"7391""#, "cvv=7391"];

/// Bodies by path, and the statuses of their answers: an answer that is early proves little. `#` is a
/// card number, another one in each body, and `%` is it in groups. `\u{fffd}` is a byte that is not
/// UTF-8.
const BODIES: &[(&str, &str, u16)] = &[
    // Where a card number belongs, and in wrong forms there.
    (
        CREATE,
        r##"{C"card":{"card_number":"#","card_holder":"A B","expiry_month":12,"expiry_year":2039,"security_code":"739"}}}"##,
        201,
    ),
    (
        CREATE,
        r##"{C"card":{"card_number":"%","card_holder":"A B","expiry_month":12,"expiry_year":2039,"security_code":"739"}}}"##,
        422,
    ),
    (
        CREATE,
        r##"{C"card":{"card_number":#,"card_holder":"A B"}}}"##,
        422,
    ),
    (CREATE, r##"{C"card":{"card_number":["#"]}}}"##, 422),
    (CREATE, r##"{C"card":{"card_number":["%"]}}}"##, 422),
    (CREATE, r##"{C"card":{"card_number":" # "}}}"##, 422),
    (CREATE, r##"{C"card":{"card_number":"x#"}}}"##, 422),
    (
        CREATE,
        r##"{C"card":{"card_number":"#","card_number":"#"}}}"##,
        422,
    ),
    // In other members of a card.
    (CREATE, r##"{C"card":{"card_holder":"#"}}}"##, 201),
    (CREATE, r##"{C"card":{"card_holder":"%"}}}"##, 201),
    (CREATE, r##"{C"card":{"security_code":"#"}}}"##, 422),
    (
        CREATE,
        r##"{C"card":{"security_code":"7391","x":"#"}}}"##,
        201,
    ),
    (CREATE, r##"{C"card":{"expiry_month":"#"}}}"##, 422),
    (CREATE, r##"{C"card":{"expiry_year":"#"}}}"##, 422),
    (CREATE, r##"{C"card":{"cvv":"7391","pan":"#"}}}"##, 201),
    (CREATE, r##"{C"card":"#"}}"##, 422),
    (CREATE, r##"{C"#":1}}"##, 201),
    // In members of the request.
    (CREATE, r##"{"payment_type":"#"}"##, 422),
    (CREATE, r##"{B,"mode":"#"}"##, 422),
    (CREATE, r##"{B,"subtype":"#"}"##, 422),
    (CREATE, r##"{B,"cur":"#"}"##, 422),
    (CREATE, r##"{B,"bank_name":"#"}"##, 201),
    (CREATE, r##"{B,"bank_name":"bank # of cards"}"##, 201),
    (CREATE, r##"{B,"bank_name":"bank % of cards"}"##, 201),
    (CREATE, r##"{B,"description":"paid with #"}"##, 201),
    (CREATE, r##"{B,"description":"paid with %"}"##, 201),
    (CREATE, r##"{B,"description":["#"]}"##, 422),
    (CREATE, r##"{B,"user_id":"#"}"##, 201),
    (CREATE, r##"{B,"system":"#"}"##, 201),
    (CREATE, r##"{B,"merchant_id":"#"}"##, 422),
    (CREATE, r##"{B,"host2host":"#"}"##, 422),
    (CREATE, r##"{B,"time_to_complete_payment":"#"}"##, 422),
    (CREATE, r##"{B,"pay_in_details":"#"}"##, 422),
    (
        CREATE,
        r##"{B,"pay_out_details":{"card_number":"#","phone_number":"#"}}"##,
        422,
    ),
    (CREATE, r##"{B,"callback":{"url":"#"}}"##, 422),
    // In unknown members, their names, and deep inside.
    (CREATE, r##"{B,"card_number":"#"}"##, 201),
    (CREATE, r##"{B,"card_number":"%"}"##, 201),
    (CREATE, r##"{B,"#":"x"}"##, 201),
    (CREATE, r##"{B,"%":"x"}"##, 201),
    (CREATE, r##"{B,"x":{"y":[{"z":"#"}]}}"##, 201),
    (CREATE, r##"{B,"x":"{\"card_number\":\"#\"}"}"##, 201),
    // Too deep, too large, and not UTF-8.
    (CREATE, r##"{B,"x":<deep>"#"</deep>}"##, 422),
    (CREATE, r##"{C"card":<deep>{"#":"%"}</deep>}}"##, 422),
    (CREATE, r##"{C"card":{"card_number":"#"}}}<large>"##, 413),
    (CREATE, r##"{B,"description":"<large>#"}"##, 413),
    (CREATE, "{C\"card\":{\"card_number\":\"#\u{fffd}\"}}}", 400),
    (CREATE, "{B,\"description\":\"\u{fffd}%\"}", 400),
    (CREATE, "\u{fffd}#", 400),
    // In bodies that are not JSON objects.
    (CREATE, r##"{B,"description":"#""##, 400),
    (CREATE, r##"{"description":"#",}"##, 400),
    (CREATE, r##"["#"]"##, 422),
    (CREATE, r##""#""##, 422),
    (CREATE, "#", 422),
    (CREATE, "%", 400),
    (CREATE, "card_number=#&cvv=7391", 400),
    // Of visitors of the page.
    (
        VISITOR,
        r##"{C"card":{"card_number":"#","card_holder":"A B","expiry_month":12,"expiry_year":2039,"security_code":"739"}}}"##,
        201,
    ),
    (VISITOR, r##"{C"card":{"card_number":"%"}}}"##, 422),
    (
        VISITOR,
        r##"{C"card":{"security_code":"7391","x":"#"}}}"##,
        201,
    ),
    (VISITOR, r##"{B,"bank_name":"bank # of cards"}"##, 201),
    (VISITOR, r##"{B,"description":"#"}"##, 422),
    (VISITOR, r##"{B,"redirect_url":"https://x/#"}"##, 422),
    (VISITOR, r##"{B,"mode":<deep>"#"</deep>}"##, 422),
    (VISITOR, r##"{B,"bank_name":"#"}<large>"##, 413),
    (VISITOR, "{B,\"bank_name\":\"#\u{fffd}\"}", 422),
    (VISITOR, "card_number=#&cvv=7391", 422),
    // In bodies of the other paths. The order of a session is kept as it is written.
    (
        SESSIONS,
        r##"{"amount":"x#","currency":"RUB","order":"1"}"##,
        422,
    ),
    (
        SESSIONS,
        r##"{"amount":"1.00","currency":"#","order":"2"}"##,
        422,
    ),
    (
        SESSIONS,
        r##"{"amount":"1.00","currency":"RUB","order":"3","redirect_url":"https://shop.example/#"}"##,
        422,
    ),
    (
        SESSIONS,
        r##"{"amount":"1.00","currency":"RUB","order":"4","x":"#"}"##,
        422,
    ),
    (CONVERT, r##"{"amount":"1.00","currency":"#"}"##, 422),
    (
        REPORTS,
        r##"[{"url":"https://shop.example/#","body":{"effectiveDirective":"#","sample":"#"}}]"##,
        204,
    ),
    (
        REPORTS,
        r##"{"csp-report":{"effective-directive":"#"}}"##,
        204,
    ),
];

/// The beginning of bodies with a card, and of others.
const CARD: &str = r#""payment_type":"pay_in","mode":"P2P","subtype":"bank_card","cur":"RUB","amount":"990.50","host2host":true,"pay_in_details":{"#;
const BASE: &str =
    r#""payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50""#;

/// Headers with a card number. The idempotency key is kept as it is written.
const HEADERS: &[(&str, &str, u16)] = &[
    ("user-agent", "#", 201),
    ("referer", "#", 201),
    ("cookie", "#", 201),
    ("x-forwarded-for", "#", 201),
    ("x-request-id", "#", 201),
    ("origin", "#", 201),
    ("checkout-session", "#", 201),
    ("checkout-view", "#", 201),
    ("accept-language", "#", 201),
    ("accept-language", "%", 201),
    ("content-type", "#", 415),
    ("content-type", "application/json; charset=#", 201),
    ("host", "#", 201),
    ("host", "#.example:443", 201),
    ("host", "%", 400),
];

/// Methods and paths. `O` is with the token of an operator, `M` with that of a merchant.
const PATHS: &[(char, &str, &str, u16)] = &[
    ('M', "GET", "/v1/payments/#/status", 404),
    ('M', "GET", "/v1/partner/balance?card=#", 200),
    (' ', "GET", "/#", 404),
    ('M', "GET", "/checkout/sessions/#", 404),
    (' ', "GET", "/checkout/api/sessions/#", 404),
    (' ', "GET", "/checkout/api/payments/#", 404),
    (' ', "GET", "/checkout/#?session=#", 404),
    ('O', "POST", "/operator/payments/#/advance", 422),
    (' ', "X#", "/v1/payments/new", 405),
];

/// A number in four groups.
fn groups(number: &str) -> String {
    let groups: Vec<_> = (0..4).map(|group| &number[group * 4..][..4]).collect();
    groups.join(" ")
}

/// Requests with card numbers to a gateway, and what came back.
struct Attack<'a> {
    gateway: &'a Gateway,
    token: String,
    /// Places and their numbers.
    planted: Vec<(String, String)>,
    /// Places with an answer that was not expected.
    wrong: Vec<String>,
    answers: String,
}

impl Attack<'_> {
    /// Plants another number in each text.
    fn plant(&mut self, about: String, text: &str) -> String {
        let number = card_number(self.planted.len() as u64 + 1);
        let filled = text.replace('#', &number).replace('%', &groups(&number));
        self.planted.push((about, number));
        filled
    }

    /// Sends a request with the number that was planted last.
    async fn send(&mut self, request: RequestBuilder, status: u16) {
        let answer = request.send().await.unwrap();
        let (about, _) = self.planted.last().unwrap();
        if answer.status() != status {
            let found = answer.status();
            self.wrong.push(format!("{about}: {found} for {status}"));
        }
        self.answers += &format!("{:?}", answer.headers());
        self.answers += &answer.text().await.unwrap();
    }

    /// Creates a session for a visitor.
    async fn session(&self) -> String {
        let order = self.planted.len();
        let body = format!(r#"{{"amount":"990.50","currency":"RUB","order":"order-{order}"}}"#);
        let request = self
            .gateway
            .request(Method::POST, SESSIONS, Some(&self.token));
        let made = Answer::of(request.body(body).send().await.unwrap()).await;
        made.json()["id"].as_str().unwrap().to_owned()
    }

    async fn with_bodies(&mut self) {
        for (path, body, status) in BODIES {
            let text = body
                .replacen("{C", &format!("{{{CARD}"), 1)
                .replacen("{B", &format!("{{{BASE}"), 1)
                .replace("<deep>", &"[".repeat(200))
                .replace("</deep>", &"]".repeat(200))
                .replace("<large>", &" ".repeat(70_000));
            let text = self.plant(format!("{path} {body}"), &text);
            let parts: Vec<&[u8]> = text.split('\u{fffd}').map(str::as_bytes).collect();
            let kind = match *path {
                REPORTS if body.starts_with('[') => "application/reports+json",
                REPORTS => "application/csp-report",
                _ => "application/json",
            };
            let mut request = self
                .gateway
                .client
                .post(format!("{}{path}", self.gateway.base))
                .header("content-type", kind)
                .body(parts.join(&0xff_u8));
            match *path {
                CREATE | SESSIONS => request = request.bearer_auth(&self.token),
                VISITOR => request = request.header("checkout-session", self.session().await),
                _ => {}
            }
            self.send(request, *status).await;
        }
    }

    async fn with_headers(&mut self) {
        for (header, value, status) in HEADERS {
            let value = self.plant(format!("{header}: {value}"), value);
            let url = format!("{}{CREATE}", self.gateway.base);
            let mut request = self.gateway.client.post(url).bearer_auth(&self.token);
            if *header != "content-type" {
                request = request.header("content-type", "application/json");
            }
            let request = request.header(*header, value).body(gateway::BODY);
            self.send(request, *status).await;
        }
    }

    async fn with_paths(&mut self, operator: &str) {
        for (caller, method, path, status) in PATHS {
            let line = format!("{method} {path}");
            let text = self.plant(line.clone(), &line);
            let (method, path) = text.split_once(' ').unwrap();
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let token = match caller {
                'M' => Some(self.token.as_str()),
                'O' => Some(operator),
                _ => None,
            };
            self.send(self.gateway.request(method, path, token), *status)
                .await;
        }
        for credential in ["Bearer #", "Basic #", "#", "Bearer %"] {
            let credential = self.plant(credential.to_owned(), credential);
            let request = self
                .gateway
                .request(Method::GET, "/v1/partner/balance", None)
                .header("authorization", credential);
            self.send(request, 401).await;
        }
    }
}

/// Returns all rows of all tables, and of a file also its free pages and its journal.
async fn contents(database: &Database) -> String {
    if let Some(file) = database.url.strip_prefix("sqlite:") {
        let files = ["", "-wal", "-shm"].map(|end| std::fs::read(format!("{file}{end}")));
        let bytes: Vec<u8> = files.into_iter().filter_map(Result::ok).flatten().collect();
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    let rows = "SELECT query_to_xml(format('SELECT * FROM %I', tablename), true, true, '')::text \
                FROM pg_tables WHERE schemaname = 'public'";
    database.texts(rows).await.concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_number_in_any_place_of_a_request_is_kept_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let operator = gateway::operator(&database, "anna");
        let page = folder.path().to_str().unwrap();
        let gateway = Gateway::start(
            &database,
            &["--page", page, "--log", "trace", "--address-rate", "0"],
        )
        .await;
        let mut attack = Attack {
            gateway: &gateway,
            token: token.clone(),
            planted: Vec::new(),
            wrong: Vec::new(),
            answers: String::new(),
        };
        attack.with_bodies().await;
        attack.with_headers().await;
        attack.with_paths(&operator).await;
        assert!(attack.wrong.is_empty(), "{:#?}", attack.wrong);
        let last = gateway.create(&token, Some("last"), gateway::BODY).await;
        assert_eq!(last.status, 201, "{}", last.text);
        let metrics = gateway.get("/metrics", None).await.text;
        let audit = gateway.get("/operator/audit", Some(&operator)).await.text;
        let log = gateway.log_with(r#""route":"/operator/audit""#).await;
        let stored = contents(&database).await;
        assert!(stored.contains(&last.uid()) && log.contains("a creation request"));
        assert!(attack.planted.len() > 95, "{}", attack.planted.len());
        for (place, text) in [
            ("the database", &stored),
            ("the log", &log),
            ("the metrics", &metrics),
            ("the audit", &audit),
            ("an answer", &attack.answers),
        ] {
            for (about, number) in &attack.planted {
                for form in [number, &groups(number)] {
                    assert!(!text.contains(form), "{about}: {form} is in {place}");
                }
            }
            // A log escapes the quotes of a body.
            let plain = text.replace('\\', "");
            for code in CODES {
                assert!(!plain.contains(code), "a security code is in {place}");
            }
            assert!(!text.contains(&token), "a token is in {place}");
        }
    }
}
