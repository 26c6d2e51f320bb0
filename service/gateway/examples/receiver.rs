//! Receives the gateway's events: verifies each, prints it, and answers.
//!
//! ```sh
//! export WEBHOOK_SECRET=whsec_…     # the merchant's; two, parted by a blank, while one replaces the other
//! cargo run -p payspec-gateway --example receiver -- 127.0.0.1:9090
//! ```
//!
//! Give `http://127.0.0.1:9090/` as a payment's `callback`, and let the gateway deliver to private
//! addresses. Three things are worth copying: the signature is checked over the bytes as they came,
//! before anything parses them; what does not verify is answered 401 and never looked at; and a
//! message that comes again (delivery is at least once) is answered like the first, and not acted
//! upon. A real receiver keeps the ids in its database, and puts them there in the transaction that
//! acts upon the event.

use std::collections::HashSet;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use bytes::Bytes;
use payspec_gateway::webhook::{Secret, verify};
use serde_json::Value;

/// A payment is about 1 KB.
const BODY_LIMIT: usize = 64 * 1024;

struct Receiver {
    secrets: Vec<Secret>,
    seen: Mutex<HashSet<String>>,
}

async fn receive(
    State(receiver): State<Arc<Receiver>>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    if let Err(error) = verify(&receiver.secrets, &headers, &body, SystemTime::now()) {
        println!("rejected: {error}");
        return StatusCode::UNAUTHORIZED;
    }
    // Both are the gateway's own from here on.
    let id = headers
        .get("webhook-id")
        .and_then(|id| id.to_str().ok())
        .unwrap_or_default();
    let Ok(payment) = serde_json::from_slice::<Value>(&body) else {
        println!("{id}: no JSON");
        return StatusCode::BAD_REQUEST;
    };
    let is_new = receiver
        .seen
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(id.to_owned());
    let text = |member: &str| payment[member].as_str().unwrap_or("-").to_owned();
    let again = if is_new { "" } else { " (again)" };
    println!(
        "{id}: payment {} is {}, {} {}{again}",
        text("uid"),
        text("state"),
        text("amount"),
        text("currency")
    );
    StatusCode::NO_CONTENT
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "127.0.0.1:9090".to_owned());
    let secrets = std::env::var("WEBHOOK_SECRET").map_err(|_| "WEBHOOK_SECRET is not set")?;
    let secrets = secrets
        .split_whitespace()
        .map(str::parse)
        .collect::<Result<Vec<Secret>, _>>()?;
    let receiver = Receiver {
        secrets,
        seen: Mutex::default(),
    };
    let router = Router::new()
        .route("/", post(receive))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .with_state(Arc::new(receiver));
    let listener = tokio::net::TcpListener::bind(&address).await?;
    println!("events at http://{}/", listener.local_addr()?);
    axum::serve(listener, router).await?;
    Ok(())
}
