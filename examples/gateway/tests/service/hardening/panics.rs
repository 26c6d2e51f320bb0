//! A panic in a handler is one answer of 500, and nothing else ends.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use payspec::{Currency, Engine, Quote, Timestamp};
use payspec_gateway::http::{self, App, Attempts, ConnectionLimits, Quotas, Readiness, ServeConfig};
use payspec_gateway::rates::{RateError, RateSource};
use payspec_gateway::service::Service;
use payspec_gateway::storage::{self, Actor, Audit, StorageConfig, TokenKind, TokenOwner};
use payspec_gateway::token;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::database::Database;
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
    let config = StorageConfig { address: &database.url, keys: None, connections: 2, min_free_bytes: 0 };
    let storage = storage::open(&config).await.unwrap();
    storage.migrate().await.unwrap();
    let shown = token::generate().unwrap();
    let owner = TokenOwner { id: "00000000".to_owned(), name: "shop-42".to_owned() };
    let actor = Actor { operator: "test".to_owned(), origin: "test".to_owned() };
    let audit = Audit { actor: &actor, action: "token new", subject: "x", before: None, after: None, result: "done" };
    storage.add_token(TokenKind::Merchant, &owner, &token::hash(&shown), audit).await.unwrap();
    let service = Service::new(Engine::default(), storage, Arc::new(Panics), "RUB".parse().unwrap(), None);
    let app = App {
        service: Arc::new(service),
        metrics: None,
        attempts: Attempts::default(),
        page: None,
        checkout: None,
        log_peers: true,
        timeout: Duration::from_secs(10),
        quotas: Quotas::default(),
        readiness: Readiness::default(),
        document: bytes::Bytes::new(),
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1/payments/new", listener.local_addr().unwrap());
    let config = ServeConfig {
        client_timeout: Duration::from_secs(10),
        limits: ConnectionLimits::new(None, None),
        trusted_proxies: Vec::new(),
    };
    let (stop, stopping) = watch::channel(false);
    let server = tokio::spawn(http::serve(listener, http::router(Arc::new(app)), config, stopping));
    // One client, which keeps its connection.
    let client = gateway::client();
    let crypto = r#"{"payment_type":"pay_in","mode":"CRYPTO","cur":"RUB","amount":"1000.00"}"#;
    for (body, status) in [(BODY, 201), (crypto, 500), (BODY, 201), (crypto, 500), (BODY, 201)] {
        let request = client.post(&url).bearer_auth(&*shown).header("content-type", "application/json");
        let response = request.body(body).send().await.unwrap();
        assert_eq!(response.status(), status);
        assert!(response.headers().contains_key("x-request-id"), "{status}");
        let text = response.text().await.unwrap();
        assert!(!text.contains("planted") && serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text}");
    }
    stop.send_replace(true);
    drop(client);
    server.await.unwrap();
}
