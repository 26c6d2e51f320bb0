//! The endpoints of operators: a change of state, as by `gateway advance`, and the audit.

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use payspec::bearer_token;

use super::client::Client;
use super::state::SharedAdmin;
use super::{answer, body, header, payments};
use crate::service::{AdvanceResult, AuditedActor, Change};
use crate::storage::{Actor, StorageError};
use crate::token;

/// The largest body: a change is a few words.
const LIMIT: usize = 16 * 1024;

/// Finds the operator of a token, or returns the answer to a request without one.
async fn operator(
    admin: &SharedAdmin,
    client: Client,
    headers: &HeaderMap,
) -> Result<Result<Actor, Response>, StorageError> {
    let refuse = |pause| {
        metrics::counter!("gateway_limited_total", "limit" => "operator").increment(1);
        Ok(Err(answer::too_many(pause)))
    };
    if let Some(pause) = admin.attempts.locked(client.counted()) {
        return refuse(pause);
    }
    let header = header::bytes(headers, AUTHORIZATION.as_str());
    let owner = match bearer_token(header.as_deref()) {
        Ok(shown) => {
            let owner = admin.storage.operator(&token::hash(shown)).await?;
            if owner.is_none() {
                tracing::warn!("a wrong token of an operator");
                admin.attempts.failed(client.counted());
            }
            owner
        }
        Err(_) => None,
    };
    let Some(owner) = owner else {
        return Ok(Err((
            [(WWW_AUTHENTICATE, "Bearer")],
            answer::problem(StatusCode::UNAUTHORIZED),
        )
            .into_response()));
    };
    tracing::record_all!(
        tracing::Span::current(),
        operator = owner.name,
        token = owner.id
    );
    if let Err(pause) = admin.attempts.act(&owner.id) {
        return refuse(pause);
    }
    Ok(Ok(Actor {
        operator: format!("{} ({})", owner.name, owner.id),
        origin: client.address.to_string(),
    }))
}

/// `POST /operator/payments/{uid}/advance`
pub(super) async fn advance(
    State(admin): State<SharedAdmin>,
    Extension(client): Extension<Client>,
    uid: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, StorageError> {
    let actor = match operator(&admin, client, &headers).await? {
        Ok(actor) => actor,
        Err(refused) => return Ok(refused),
    };
    let body = match body::read_small(&headers, body, LIMIT, admin.app.body_time()).await {
        Ok(body) => body,
        Err(refused) => return Ok(refused),
    };
    let change: Change = match body::object(&body) {
        Ok(change) => change,
        Err(why) => {
            return Ok(answer::problem_at(
                StatusCode::UNPROCESSABLE_ENTITY,
                "",
                &why,
            ));
        }
    };
    let audited = AuditedActor {
        actor: &actor,
        audit: admin.storage.as_ref(),
    };
    Ok(
        match admin
            .app
            .service
            .advance(&payments::uid(uid), &change, Some(audited))
            .await?
        {
            AdvanceResult::Reply(reply) => reply.into_response(),
            AdvanceResult::InvalidChange { path, message } => {
                answer::problem_at(StatusCode::UNPROCESSABLE_ENTITY, &path, &message)
            }
        },
    )
}

/// `GET /operator/audit`: the last actions.
pub(super) async fn audit(
    State(admin): State<SharedAdmin>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
) -> Result<Response, StorageError> {
    const ENTRIES: i64 = 100;
    if let Err(refused) = operator(&admin, client, &headers).await? {
        return Ok(refused);
    }
    Ok(Json(admin.storage.audit(ENTRIES).await?).into_response())
}
