//! The HTTP source against real servers on this machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::net::TcpListener;

use super::*;

/// A server whose status a test sets; 200 gives rates, 1 too many bytes, 2 none ever.
#[derive(Default)]
struct Server {
    status: AtomicU16,
    asked: AtomicU32,
}

async fn answer(State(server): State<Arc<Server>>) -> Response {
    let number = server.asked.fetch_add(1, Ordering::SeqCst) + 1;
    match server.status.load(Ordering::SeqCst) {
        200 => format!(
            r#"{{"as_of":"2026-11-20T10:00:0{number}Z","per_usdt":{{"RUB":"92.4{number}"}}}}"#
        )
        .into_response(),
        // Of no stated length, and without an end.
        1 => Body::from_stream(stream::repeat_with(|| {
            Ok::<_, std::io::Error>(" ".repeat(10_000))
        }))
        .into_response(),
        2 => std::future::pending().await,
        3 => "no rates today".into_response(),
        302 => (StatusCode::FOUND, [(LOCATION, "/")]).into_response(),
        status => StatusCode::from_u16(status).unwrap().into_response(),
    }
}

async fn serve(status: u16) -> (Arc<Server>, HttpRates) {
    let server = Arc::new(Server {
        status: status.into(),
        ..Server::default()
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/?key=hush", listener.local_addr().unwrap())
        .parse()
        .unwrap();
    let router = Router::new()
        .fallback(answer)
        .with_state(Arc::clone(&server));
    tokio::spawn(async move { axum::serve(listener, router).await });
    let timeouts = Timeouts {
        connect: Duration::from_millis(300),
        total: Duration::from_millis(300),
    };
    let (max_age, pause) = (Duration::from_millis(100), Duration::from_millis(50));
    let config = HttpRatesConfig {
        timeouts,
        max_age,
        pause,
        ..HttpRatesConfig::new(url)
    };
    assert!(!format!("{config:?}").contains("hush"));
    (server, HttpRates::new(config).unwrap())
}

async fn ask(rates: &HttpRates) -> Result<String, RateError> {
    let now = "2026-11-20T10:00:05Z".parse().unwrap();
    let quote = rates.quote("RUB".parse().unwrap(), now).await?.unwrap();
    Ok(format!("{} {}", quote.rate(), quote.as_of().unwrap()))
}

#[tokio::test]
async fn kept_for_a_while_and_old_ones_while_the_server_is_down() {
    let (server, rates) = serve(200).await;
    let first = "92.41 2026-11-20T10:00:01.000Z";
    assert_eq!(ask(&rates).await.unwrap(), first);
    assert_eq!(ask(&rates).await.unwrap(), first);
    assert_eq!(server.asked.load(Ordering::SeqCst), 1);

    server.status.store(500, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_millis(120)).await;
    assert_eq!(
        ask(&rates).await.unwrap(),
        first,
        "the old ones, with the time that they are of"
    );
    assert_eq!(server.asked.load(Ordering::SeqCst), 2);

    server.status.store(200, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_millis(70)).await;
    assert_eq!(ask(&rates).await.unwrap(), "92.43 2026-11-20T10:00:03.000Z");
}

#[tokio::test]
async fn an_old_rate_is_what_the_library_answers_455_to() {
    let (_, rates) = serve(200).await;
    let ask = async |now: &str| {
        let now: Timestamp = now.parse().unwrap();
        let authorization = payspec::Authorization::CheckedByCaller;
        let mut context =
            payspec::CreateContext::new(payspec::Uuid::from_u128(1), now, authorization);
        context.quote = rates.quote("RUB".parse().unwrap(), now).await.unwrap();
        let body = br#"{"payment_type":"pay_in","mode":"CRYPTO","cur":"RUB","amount":"10000.00"}"#;
        let engine = payspec::Engine::default();
        let outcome = engine.create_payment(body, &context);
        (
            outcome.status(),
            outcome.problem().map(|problem| problem.code().name()),
        )
    };
    assert_eq!(ask("2026-11-20T10:01:01Z").await, (201, None));
    assert_eq!(
        ask("2026-11-20T10:01:02Z").await,
        (455, Some("quote_stale"))
    );
}

#[tokio::test]
async fn servers_that_give_no_rates() {
    for (status, expected) in [
        (503, RateError::Status(503)),
        (204, RateError::Status(204)),
        (302, RateError::Status(302)),
        (1, RateError::TooLarge(MAX_BYTES)),
        (2, RateError::Server("it took too long")),
    ] {
        let (server, rates) = serve(status).await;
        assert_eq!(ask(&rates).await, Err(expected), "{status}");
        assert_eq!(server.asked.load(Ordering::SeqCst), 1);
    }
    let (_, rates) = serve(3).await;
    assert!(matches!(ask(&rates).await, Err(RateError::Document(_))));
    let nobody = HttpRates::new(HttpRatesConfig::new(
        "http://127.0.0.1:9/?key=hush".parse().unwrap(),
    ))
    .unwrap();
    let error = ask(&nobody).await.unwrap_err();
    assert_eq!(error, RateError::Server("no connection could be made"));
    assert!(!error.to_string().contains("hush"));
}
