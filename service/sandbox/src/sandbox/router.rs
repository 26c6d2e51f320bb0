//! The routes of the sandbox: its own interface, the embedded page, and the gateway of a merchant.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use payspec_gateway::http::http_problem;
use tower_service::Service;

use super::fault::{self, Effect, Endpoint};
use super::journal::Journal;
use super::merchant::{Merchant, declined, token_name};
use super::problem::{Problem, raw, unknown_scenario};
use super::registry::Sandbox;
use super::scenario::{self, Scenario};
use super::store::REQUESTED;
use super::{interface, page};

/// The header that selects the scenario of a payment.
const SCENARIO: &str = "sandbox-scenario";

/// The path of routes that a program adds.
const EXTRA: &str = "/mcp";

/// The connection is closed without an answer, because of a fault.
#[derive(Debug)]
pub(crate) struct Dropped;

impl std::fmt::Display for Dropped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the connection is dropped")
    }
}

impl std::error::Error for Dropped {}

/// The service of the sandbox.
#[derive(Clone)]
pub(crate) struct SandboxService {
    sandbox: Arc<Sandbox>,
    journal: Option<Journal>,
    own: Router,
    /// The routes at [`EXTRA`], which a program adds.
    extra: Option<Router>,
}

/// Returns the service of the sandbox, with routes that a program adds at [`EXTRA`].
pub(crate) fn service(
    sandbox: Arc<Sandbox>,
    journal: Option<Journal>,
    extra: Option<Router>,
) -> SandboxService {
    let own = interface::router(Arc::clone(&sandbox), journal.clone());
    SandboxService {
        sandbox,
        journal,
        own,
        extra,
    }
}

impl Service<Request> for SandboxService {
    type Response = Response;
    type Error = Dropped;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Dropped>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Dropped>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let service = self.clone();
        Box::pin(async move {
            if !service.sandbox.hosts.know(request.uri(), request.headers()) {
                return Ok(Problem::unknown_host().into_response());
            }
            let path = request.uri().path();
            if path == "/" {
                return Ok(Redirect::to("/sandbox").into_response());
            }
            if path == "/sandbox" || path.starts_with("/sandbox/") {
                return Ok(call(service.own, request).await);
            }
            if let Some(extra) = service.extra.clone().filter(|_| path == EXTRA) {
                if interface::is_foreign(&service.sandbox, &request) {
                    return Ok(Problem::foreign_page().into_response());
                }
                return Ok(call(extra, request).await);
            }
            if let Some(file) =
                page::find(path).filter(|_| matches!(*request.method(), Method::GET | Method::HEAD))
            {
                return Ok(file.into_response());
            }
            service.of_merchant(request).await
        })
    }
}

async fn call(mut router: Router, request: Request) -> Response {
    let answered: Result<Response, Infallible> = router.call(request).await;
    answered.unwrap_or_else(|impossible| match impossible {})
}

impl SandboxService {
    /// Serves a request by the gateway of its merchant.
    async fn of_merchant(&self, request: Request) -> Result<Response, Dropped> {
        let merchant = find(
            &self.sandbox,
            request.method(),
            request.uri().path(),
            request.headers(),
        );
        let endpoint = Endpoint::of(request.uri().path());
        let requested = match scenario_of(request.headers()) {
            Ok(requested) => requested,
            Err(problem) => return Ok(problem.into_response()),
        };
        let effect = match endpoint {
            None => None,
            Some(endpoint) => match fault::of_header(request.headers()) {
                Ok(Some(effect)) => Some(effect),
                // A call without a token is not one of the default merchant, whose faults are for
                // its own calls.
                Ok(None) if token_name(request.headers()).is_none() => None,
                Ok(None) => hit(&merchant, endpoint),
                Err(problem) => return Ok(problem.into_response()),
            },
        };
        let writes = !request.method().is_safe();
        let serve = async {
            let router = payspec_gateway::http::router(Arc::clone(&merchant.app));
            let response = REQUESTED.scope(requested, call(router, request)).await;
            if let Some(journal) = self.journal.as_ref().filter(|_| writes) {
                journal.write_merchant(&merchant).await;
            }
            response
        };
        let Some(Effect {
            delay,
            status,
            drop,
            after,
        }) = effect
        else {
            return Ok(serve.await);
        };
        let is_replaced = status.is_some() || drop;
        if !after {
            tokio::time::sleep(delay).await;
        }
        let response = if after || !is_replaced {
            Some(serve.await)
        } else {
            None
        };
        if after {
            // The call is done, even if the client does not wait for its answer.
            tokio::time::sleep(delay).await;
        }
        match (status, response) {
            (Some(status), _) => Ok(faulty(&merchant, status)),
            (None, Some(response)) if !drop => Ok(response),
            (None, _) => Err(Dropped),
        }
    }
}

/// Takes the first fault of a merchant for an endpoint.
fn hit(merchant: &Merchant, endpoint: Endpoint) -> Option<Effect> {
    let mut state = merchant.store.state();
    let (index, effect) = state
        .faults
        .iter_mut()
        .enumerate()
        .find_map(|(index, fault)| Some((index, fault.hit(endpoint)?)))?;
    if state.faults[index].count == 0 {
        state.faults.remove(index);
    }
    drop(state);
    merchant.store.changed();
    Some(effect)
}

/// Returns the answer with the status of a fault: that of the library, if it has one for it.
fn faulty(merchant: &Merchant, status: StatusCode) -> Response {
    if status.as_u16() == 455
        && let Some(body) = declined(&merchant.service.engine)
    {
        return raw(status, body);
    }
    raw(status, http_problem(status.as_u16()).to_string())
}

/// Returns the scenario that a request names.
fn scenario_of(headers: &HeaderMap) -> Result<Option<&'static Scenario>, Problem> {
    let Some(value) = headers.get(SCENARIO) else {
        return Ok(None);
    };
    let found = value.to_str().ok().and_then(scenario::find);
    found.map(Some).ok_or_else(|| unknown_scenario(SCENARIO))
}

/// Finds the merchant of a request: by its token, or by the payment or checkout session that a page
/// of the sandbox names. A request without one belongs to the default merchant, which answers 401
/// if a token is needed.
fn find(sandbox: &Sandbox, method: &Method, path: &str, headers: &HeaderMap) -> Arc<Merchant> {
    if let Some(name) = token_name(headers) {
        return sandbox.merchant_for(method, name);
    }
    let by = |test: &dyn Fn(&Merchant) -> bool| {
        sandbox
            .merchants()
            .into_iter()
            .find(|merchant| test(merchant))
    };
    let session = headers
        .get("checkout-session")
        .and_then(|id| id.to_str().ok())
        .or_else(|| path.strip_prefix("/checkout/api/sessions/"));
    let payment = path
        .strip_prefix("/checkout/api/payments/")
        .and_then(|rest| rest.split('/').next());
    session
        .and_then(|id| by(&|merchant| merchant.store.state().sessions.contains_key(id)))
        .or_else(|| {
            payment
                .and_then(|uid| by(&|merchant| merchant.store.state().payments.contains_key(uid)))
        })
        .unwrap_or_else(|| sandbox.merchant(&sandbox.default))
}
