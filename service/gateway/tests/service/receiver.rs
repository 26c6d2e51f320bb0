//! A merchant's server: accepts and checks callbacks, and rejects them if a test requires it.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use bytes::Bytes;
use payspec_gateway::webhook::verify;
use serde_json::Value;
use tokio::net::TcpListener;

/// One delivery.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) body: Value,
    pub(crate) headers: HeaderMap,
    pub(crate) at: Instant,
}

#[derive(Default)]
struct Shared {
    received: Mutex<Vec<Received>>,
    /// So many deliveries are answered with 500.
    refuse: AtomicU32,
}

#[derive(Clone)]
pub(crate) struct Receiver {
    pub(crate) url: String,
    shared: Arc<Shared>,
}

impl Receiver {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        let router = Router::new()
            .route("/hook", post(take))
            .route(
                "/away",
                post(|| async { (StatusCode::FOUND, [("location", "/hook")]) }),
            )
            .route("/never", post(std::future::pending::<StatusCode>))
            .with_state(Arc::clone(&shared));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self {
            url: format!("http://{address}/hook"),
            shared,
        }
    }

    pub(crate) fn refuse(&self, times: u32) {
        self.shared.refuse.store(times, Ordering::SeqCst);
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.shared.received.lock().unwrap().clone()
    }

    /// Waits until so many have come.
    pub(crate) async fn wait(&self, count: usize) -> Vec<Received> {
        let start = Instant::now();
        while self.received().len() < count {
            assert!(
                start.elapsed() < Duration::from_secs(30),
                "{} of {count} callbacks",
                self.received().len()
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self.received()
    }
}

impl Received {
    pub(crate) fn verify(&self, secret: &str) {
        assert!(self.is_signed_with(secret));
    }

    pub(crate) fn is_signed_with(&self, secret: &str) -> bool {
        verify(
            &[secret.parse().unwrap()],
            &self.headers,
            self.text.as_bytes(),
            SystemTime::now(),
        )
        .is_ok()
    }
}

async fn take(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    let id = headers["webhook-id"].to_str().unwrap().to_owned();
    let text = String::from_utf8(body.to_vec()).unwrap();
    let body = serde_json::from_str(&text).unwrap();
    shared.received.lock().unwrap().push(Received {
        id,
        text,
        body,
        headers,
        at: Instant::now(),
    });
    let less = |left: u32| left.checked_sub(1);
    match shared
        .refuse
        .fetch_update(Ordering::SeqCst, Ordering::SeqCst, less)
    {
        Ok(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Err(_) => StatusCode::NO_CONTENT.into_response(),
    }
}
