//! Changes the state of a payment and stores the event for its callback.

use clap::Args;
use payspec::{AdvanceContext, Authorization, ReadContext, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::balance::booking;
use super::{IdKind, Reply, Service, stored_uid};
use crate::storage::{Actor, Administration, Audit, StateChange, StorageError};

/// A change that an operator requests. The library validates it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Args)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The new state: routed, completed, not_fully, fail, cancel, chargeback, or correction
    #[arg(value_name = "STATE")]
    pub to: String,
    /// The paid amount; required by not_fully
    #[arg(long, value_name = "AMOUNT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paid_amount: Option<String>,
    /// The new amount, with correction
    #[arg(long, value_name = "AMOUNT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
    /// The responsible party; required by fail
    #[arg(long, value_name = "TEXT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fail_by: Option<String>,
    /// The reason for the failure; required by fail
    #[arg(long, value_name = "TEXT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fail_code: Option<String>,
    /// The address of a receipt; may be given more than once
    #[arg(long = "receipt", value_name = "URI")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub receipts: Vec<String>,
}

/// The result of a change.
#[derive(Clone, PartialEq, Eq)]
pub enum AdvanceResult {
    /// The library's answer: 200 with the Payment, 404, or 409 with the reason.
    Reply(Reply),
    /// The change contradicts the payment.
    InvalidChange {
        /// The JSON Pointer of the invalid member.
        path: String,
        /// The error of the library.
        message: String,
    },
}

/// The operator of a change, and the audit, in which refused changes are recorded too.
#[derive(Clone, Copy)]
pub struct AuditedActor<'a> {
    /// The operator.
    pub actor: &'a Actor,
    /// The storage of the audit.
    pub audit: &'a dyn Administration,
}

/// The name of the action in the audit.
const ACTION: &str = "advance";

/// The context of `advance_payment`.
#[derive(Serialize)]
struct Context<'a> {
    payment: &'a RawValue,
    at: String,
    #[serde(flatten)]
    change: &'a Change,
}

/// A clock that was set back does not keep payments from changing: no change is earlier than the
/// payment.
fn not_before_creation(now: Timestamp, payment: &str) -> Timestamp {
    #[derive(Deserialize)]
    struct Created {
        created_date: String,
    }
    let created = serde_json::from_str(payment)
        .ok()
        .and_then(|Created { created_date }| created_date.parse().ok());
    created.map_or(now, |created| now.max(created))
}

impl Service {
    /// Changes a payment, stores its event and records the action in one transaction. An action
    /// that changes nothing is recorded too. `audited` is absent if no operator acts.
    ///
    /// # Errors
    /// Returns an error if the storage cannot be used.
    pub async fn advance(
        &self,
        uid: &str,
        change: &Change,
        audited: Option<AuditedActor<'_>>,
    ) -> Result<AdvanceResult, StorageError> {
        let actor = audited.map(|audited| audited.actor);
        let (result, changed) = self.try_advance(uid, change, actor).await?;
        if let Some(AuditedActor { actor, audit }) = audited.filter(|_| !changed) {
            let refusal = match &result {
                AdvanceResult::Reply(reply) if reply.status == 200 => "unchanged".to_owned(),
                AdvanceResult::Reply(reply) => reply.status.to_string(),
                AdvanceResult::InvalidChange { .. } => "422".to_owned(),
            };
            let uid = stored_uid(uid).unwrap_or_else(|| "not a uid".to_owned());
            let refused = Audit {
                actor,
                action: ACTION,
                subject: &uid,
                before: None,
                after: None,
                result: &refusal,
            };
            audit.record_refusal(refused).await?;
        }
        Ok(result)
    }

    /// Returns the result, and whether the payment has changed.
    async fn try_advance(
        &self,
        uid: &str,
        change: &Change,
        actor: Option<&Actor>,
    ) -> Result<(AdvanceResult, bool), StorageError> {
        let broken = || StorageError::Row("a payment that is not JSON");
        loop {
            let stored = match stored_uid(uid) {
                Some(uid) => self
                    .storage
                    .payment(&uid)
                    .await?
                    .map(|payment| (uid, payment)),
                None => None,
            };
            let Some((uid, stored)) = stored else {
                let context = ReadContext::new(uid, None, Authorization::CheckedByCaller)
                    .map_err(|_| broken())?;
                return Ok((
                    AdvanceResult::Reply(Reply::of(&self.engine.read_payment(&context))),
                    false,
                ));
            };
            let at = not_before_creation(self.storage.now().await?, &stored.body).to_string();
            let raw: &RawValue = serde_json::from_str(&stored.body).map_err(|_| broken())?;
            let context = serde_json::to_vec(&Context {
                payment: raw,
                at,
                change,
            })
            .map_err(|_| broken())?;
            let outcome = AdvanceContext::from_json(&context).and_then(|context| {
                let outcome = self.engine.advance_payment(&context)?;
                Ok((Reply::of(&outcome), outcome.is_success(), context.to))
            });
            let (reply, moved, to) = match outcome {
                Ok(outcome) => outcome,
                Err(error) => {
                    let (path, message) = (error.path().to_owned(), error.to_string());
                    return Ok((AdvanceResult::InvalidChange { path, message }, false));
                }
            };
            if !moved || reply.body == stored.body {
                return Ok((AdvanceResult::Reply(reply), false));
            }
            let booking = booking(&reply.body)?;
            let id = format!("evt_{}", self.ids.next(IdKind::Event).simple());
            let state_change = StateChange {
                uid: &uid,
                version: stored.version,
                body: &reply.body,
                state: to.name(),
                event: stored
                    .callback
                    .as_deref()
                    .map(|callback| (id.as_str(), callback)),
                merchant: &stored.merchant,
                booked: &stored.booked,
                booking: &booking,
                audit: actor.map(|actor| {
                    let (before, after) = (Some(stored.body.as_str()), Some(reply.body.as_str()));
                    Audit {
                        actor,
                        action: ACTION,
                        subject: &uid,
                        before,
                        after,
                        result: "done",
                    }
                }),
            };
            if self.storage.apply(state_change).await? {
                tracing::info!(%uid, state = to.name(), "a payment has moved");
                self.events.notify_one();
                return Ok((AdvanceResult::Reply(reply), true));
            }
            tracing::debug!(%uid, "another change was faster");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_not_earlier_than_the_payment() {
        let [early, late] =
            ["2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z"].map(|text| text.parse().unwrap());
        assert_eq!(
            not_before_creation(early, r#"{"created_date":"2026-01-01T01:00:00Z"}"#),
            late
        );
        assert_eq!(
            not_before_creation(late, r#"{"created_date":"2026-01-01T00:00:00Z"}"#),
            late
        );
        assert_eq!(
            not_before_creation(early, "{}"),
            early,
            "the library rejects it"
        );
    }
}
