//! Moving a payment from state to state, and telling its callback.

use clap::Args;
use payspec::AdvanceContext;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::{Reply, Service, stored_uid};
use crate::storage::{Step, StorageError};

/// A change of a payment, as an operator asks for it. The library reads and judges it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Args)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The state to go to: routed, completed, not_fully, fail, cancel, chargeback or correction
    #[arg(value_name = "STATE")]
    pub to: String,
    /// What was paid; not_fully needs it
    #[arg(long, value_name = "AMOUNT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paid_amount: Option<String>,
    /// The new amount, with correction
    #[arg(long, value_name = "AMOUNT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
    /// Who is responsible; fail needs it
    #[arg(long, value_name = "TEXT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fail_by: Option<String>,
    /// Why it failed; fail needs it
    #[arg(long, value_name = "TEXT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fail_code: Option<String>,
    /// The address of a receipt; may be given more than once
    #[arg(long = "receipt", value_name = "URI")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub receipts: Vec<String>,
}

/// What came of a change.
#[derive(Clone, PartialEq, Eq)]
pub enum Moved {
    /// The library's answer: 200 with the Payment, 404, or 409 with the reason.
    Answer(Reply),
    /// The change makes no sense: the JSON Pointer of the member at fault, and what is wrong with it.
    Mistake {
        /// Where.
        path: String,
        /// What.
        message: String,
    },
}

/// What the library is told of a change.
#[derive(Serialize)]
struct Context<'a> {
    payment: &'a RawValue,
    at: String,
    #[serde(flatten)]
    change: &'a Change,
}

impl Service {
    /// Moves a payment and stores what is to be told of it, both or neither.
    ///
    /// # Errors
    /// The storage cannot be used.
    pub async fn advance(&self, uid: &str, change: &Change) -> Result<Moved, StorageError> {
        let broken = || StorageError::Row("a payment that is no JSON");
        loop {
            let stored = match stored_uid(uid) {
                Some(uid) => self.storage.payment(&uid).await?.map(|payment| (uid, payment)),
                None => None,
            };
            let Some((uid, stored)) = stored else {
                let context = payspec::ReadContext::new(uid, None);
                return Ok(Moved::Answer(Reply::of(&self.engine.read_payment(&context))));
            };
            let at = self.storage.now().await?.to_string();
            let raw: &RawValue = serde_json::from_str(&stored.body).map_err(|_| broken())?;
            let context = serde_json::to_vec(&Context { payment: raw, at, change }).map_err(|_| broken())?;
            let outcome = AdvanceContext::from_json(&context).and_then(|context| {
                let outcome = self.engine.advance_payment(&context)?;
                Ok((Reply::of(&outcome), outcome.is_success(), context.to))
            });
            let (reply, moved, to) = match outcome {
                Ok(outcome) => outcome,
                Err(error) => {
                    return Ok(Moved::Mistake { path: error.path().to_owned(), message: error.to_string() });
                }
            };
            if !moved || reply.body == stored.body {
                return Ok(Moved::Answer(reply));
            }
            let id = format!("evt_{}", Uuid::new_v4().simple());
            let step = Step {
                uid: &uid,
                version: stored.version,
                body: &reply.body,
                state: to.name(),
                event: stored.callback.as_deref().map(|callback| (id.as_str(), callback)),
                merchant: &stored.merchant,
            };
            if self.storage.step(step).await? {
                tracing::info!(%uid, state = to.name(), "a payment has moved");
                self.events.notify_one();
                return Ok(Moved::Answer(reply));
            }
            tracing::debug!(%uid, "another step was faster");
        }
    }
}
