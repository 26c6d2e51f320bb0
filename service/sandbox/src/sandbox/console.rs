//! The console at `/sandbox`: a page that shows the payments of a merchant, and updates live.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderMap, Uri};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::stream;

use super::problem::Problem;
use super::registry::{Shared, name_of};
use super::scenario;

const CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                   form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
/// Replaced by the table of scenarios.
const TABLE: &str = "<!-- scenarios -->";
/// Replaced by the merchant of the printed token, whose name needs no escapes.
const MERCHANT: &str = "<!-- merchant -->";
/// The shortest pause between two updates, so that a test of many requests does not keep a page
/// busy.
const PAUSE: Duration = Duration::from_millis(100);

pub(crate) fn routes() -> Router<Shared> {
    let file = |media_type, text| get(move || async move { file(media_type, text) });
    Router::new()
        .route("/sandbox", get(page))
        .route(
            "/sandbox/console.css",
            file(
                "text/css; charset=utf-8",
                include_str!("console/console.css"),
            ),
        )
        .route(
            "/sandbox/console.js",
            file(
                "text/javascript; charset=utf-8",
                include_str!("console/console.js"),
            ),
        )
        .route("/sandbox/events", get(events))
}

fn file(media_type: &'static str, text: impl IntoResponse) -> Response {
    let headers = [
        (CONTENT_TYPE.as_str(), media_type),
        (CONTENT_SECURITY_POLICY.as_str(), CSP),
        (CACHE_CONTROL.as_str(), "no-cache"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
    ];
    (headers, text).into_response()
}

async fn page(State(sandbox): State<Shared>) -> Response {
    let rows = scenario::rows();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let rows: String = rows
        .as_array()
        .into_iter()
        .flatten()
        .map(|row| {
            let states = row["states"].as_array().into_iter().flatten().map(text).collect::<Vec<_>>().join(" → ");
            format!(
                "<tr><th scope=\"row\"><code>{}</code></th><td>{}</td><td><code>{}</code></td><td><code>{}</code></td>\
                 <td><code>{}</code></td><td>{states}</td></tr>\n",
                text(&row["name"]),
                text(&row["about"]),
                text(&row["amount"]),
                text(&row["card"]),
                text(&row["phone"]),
            )
        })
        .collect();
    let page = include_str!("console/index.html")
        .replace(TABLE, &rows)
        .replace(MERCHANT, &sandbox.default);
    file("text/html; charset=utf-8", page)
}

/// `GET /sandbox/events`: an event of the server after each change of the merchant.
async fn events(
    State(sandbox): State<Shared>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Problem> {
    let name = name_of(&sandbox, &headers, &uri)?;
    let changes = stream::unfold(
        (sandbox, name, None),
        |(sandbox, name, subscribed)| async move {
            let (merchant, mut receiver) = match subscribed {
                Some(subscribed) => subscribed,
                None => {
                    let is_new = !sandbox.is_known(&name);
                    let merchant = sandbox.wait_for(&name).await;
                    let mut receiver = merchant.store.revision.subscribe();
                    if is_new {
                        // Its first changes were made before.
                        receiver.mark_changed();
                    }
                    (merchant, receiver)
                }
            };
            // Fails if the merchant is gone, which ends with the program.
            receiver.changed().await.ok()?;
            tokio::time::sleep(PAUSE).await;
            let revision = *receiver.borrow_and_update();
            let event = Event::default().event("change").data(revision.to_string());
            let subscribed = Some((merchant, receiver));
            Some((Ok::<_, Infallible>(event), (sandbox, name, subscribed)))
        },
    );
    Ok(Sse::new(changes)
        .keep_alive(KeepAlive::default())
        .into_response())
}
