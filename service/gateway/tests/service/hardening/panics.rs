//! A panic in a handler is one answer of 500, and nothing else ends.

use std::sync::Arc;

use async_trait::async_trait;
use payspec::{Currency, Quote, Timestamp};
use payspec_gateway::http::Quotas;
use payspec_gateway::rates::{RateError, RateSource};

use crate::database::Database;
use crate::embedded::Embedded;
use crate::gateway::{self, BODY};

/// A fault in the middle of a request.
struct Panics;

#[async_trait]
impl RateSource for Panics {
    async fn quote(&self, _: Currency, _: Timestamp) -> Result<Option<Quote>, RateError> {
        panic!("planted")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_is_500_and_the_next_request_is_served() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    // One client, which keeps its connection.
    let gateway = Embedded::start(&database, Arc::new(Panics), Quotas::default()).await;
    let crypto = r#"{"payment_type":"pay_in","mode":"CRYPTO","cur":"RUB","amount":"1000.00"}"#;
    for (body, status) in [
        (BODY, 201),
        (crypto, 500),
        (BODY, 201),
        (crypto, 500),
        (BODY, 201),
    ] {
        let response = gateway.create(&token, body).send().await.unwrap();
        assert_eq!(response.status(), status);
        assert!(response.headers().contains_key("x-request-id"), "{status}");
        let text = response.text().await.unwrap();
        assert!(
            !text.contains("planted") && serde_json::from_str::<serde_json::Value>(&text).is_ok(),
            "{text}"
        );
    }
}
