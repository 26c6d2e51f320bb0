//! One commit of SQLite for all payments that wait for one.
//!
//! A commit waits for the disk, and only one can be under way in a file. A write that comes meanwhile waits
//! anyway; then all of them are written in one transaction, and no request is answered before its commit.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use super::sql;
use super::sqlx::sqlite::SqlitePool;
use super::sqlx::{self, Connection};
use super::types::{Created, NewPayment, StorageError};
use super::writer::Writer;

/// Payments in one transaction at most.
const LIMIT: usize = 128;
pub(super) const BEGIN: &str = "BEGIN IMMEDIATE";

/// A payment that waits, and the sender of its result.
struct Waiting {
    uid: String,
    merchant: String,
    body: String,
    callback: Option<String>,
    steady: i64,
    idempotency: Option<(String, String)>,
    stored: oneshot::Sender<Result<Created, StorageError>>,
}

/// The queue of payments that wait.
pub(super) struct Group {
    sender: mpsc::Sender<Waiting>,
}

impl Group {
    /// Starts the writer, which ends when the last of these is gone.
    pub(super) fn start(writer: SqlitePool) -> Self {
        let (sender, receiver) = mpsc::channel(LIMIT);
        tokio::spawn(run(writer, receiver));
        Self { sender }
    }

    /// Waits until a payment is on the disk, or its key is found to be taken.
    pub(super) async fn create(&self, new: NewPayment<'_>) -> Result<Created, StorageError> {
        let (stored, answer) = oneshot::channel();
        let waiting = Waiting {
            uid: new.uid.to_owned(),
            merchant: new.merchant.to_owned(),
            body: new.body.to_owned(),
            callback: new.callback.map(ToOwned::to_owned),
            steady: new.steady,
            idempotency: new.idempotency.map(|(key, fingerprint)| (key.to_owned(), fingerprint.to_owned())),
            stored,
        };
        self.sender.send(waiting).await.map_err(|_| StorageError::Closed)?;
        answer.await.map_err(|_| StorageError::Closed)?
    }
}

async fn run(writer: SqlitePool, mut receiver: mpsc::Receiver<Waiting>) {
    let mut group = Vec::with_capacity(LIMIT);
    while receiver.recv_many(&mut group, LIMIT).await > 0 {
        match store(&writer, &group).await {
            Ok(created) => {
                for (waiting, created) in group.drain(..).zip(created) {
                    // The client may have gone; the payment is stored anyway.
                    let _ = waiting.stored.send(Ok(created));
                }
            }
            // The file fails here and not a payment, so all of them fail.
            Err(error) => {
                let error = Arc::new(error);
                for waiting in group.drain(..) {
                    let _ = waiting.stored.send(Err(StorageError::Group(Arc::clone(&error))));
                }
            }
        }
    }
}

async fn store(writer: &SqlitePool, group: &[Waiting]) -> Result<Vec<Created>, sqlx::Error> {
    let mut writer = Writer::acquire(writer).await?;
    let mut transaction = writer.begin_with(BEGIN).await?;
    let mut all = Vec::with_capacity(group.len());
    for new in group {
        let statement = if new.idempotency.is_some() { sql::ADD_PAYMENT_OF_FREE_KEY } else { sql::ADD_PAYMENT };
        let add = sqlx::query(statement).bind(&new.uid).bind(&new.merchant).bind(&new.body);
        let add = add.bind(&new.callback).bind(new.steady);
        let Some((key, fingerprint)) = &new.idempotency else {
            add.execute(&mut *transaction).await?;
            all.push(Created::Stored);
            continue;
        };
        if add.bind(key).execute(&mut *transaction).await?.rows_affected() == 0 {
            all.push(Created::KeyTaken);
            continue;
        }
        let take = sqlx::query(sql::TAKE_KEY).bind(&new.merchant).bind(key).bind(fingerprint).bind(&new.uid);
        take.bind(&new.body).bind(new.steady).execute(&mut *transaction).await?;
        all.push(Created::Stored);
    }
    transaction.commit().await?;
    writer.release();
    Ok(all)
}
