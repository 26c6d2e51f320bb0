//! One trip to the database for all requests that wait for one.
//!
//! A commit waits for the disk, and a server for the next statement. Requests that arrive meanwhile
//! wait anyway. They share the next trip, and none is answered before it has ended.

use std::sync::Arc;

use tokio::sync::{Mutex, mpsc, oneshot};

use super::time::in_time;
use super::types::StorageError;

/// The most jobs of one trip.
const LIMIT: usize = 128;
/// A worker that makes trips, one after the other.
pub(super) trait Trips: Send + 'static {
    /// The type of a job.
    type Job: Send + Sync + 'static;
    /// The type of its result.
    type Answer: Send + 'static;

    /// Does all jobs, and returns their answers in the same order. An error is of the database and not
    /// of one job, so it is the answer to all.
    fn run(
        &mut self,
        jobs: &[Self::Job],
    ) -> impl Future<Output = Result<Vec<Self::Answer>, StorageError>> + Send;
}

type Waiting<T> = (
    <T as Trips>::Job,
    oneshot::Sender<Result<<T as Trips>::Answer, StorageError>>,
);

/// The queue of jobs that wait.
pub(super) struct Group<T: Trips>(mpsc::Sender<Waiting<T>>);

impl<T: Trips> Group<T> {
    /// Starts the workers, which end when the group is dropped.
    pub(super) fn start(workers: impl IntoIterator<Item = T>) -> Self {
        let (sender, receiver) = mpsc::channel(LIMIT);
        let receiver = Arc::new(Mutex::new(receiver));
        for trips in workers {
            tokio::spawn(work(trips, Arc::clone(&receiver)));
        }
        Self(sender)
    }

    /// Waits until a job is done.
    pub(super) async fn run(&self, job: T::Job) -> Result<T::Answer, StorageError> {
        let (done, answer) = oneshot::channel();
        self.0
            .send((job, done))
            .await
            .map_err(|_| StorageError::Closed)?;
        answer.await.map_err(|_| StorageError::Closed)?
    }
}

async fn work<T: Trips>(mut trips: T, receiver: Arc<Mutex<mpsc::Receiver<Waiting<T>>>>) {
    let mut waiting = Vec::with_capacity(LIMIT);
    while receiver.lock().await.recv_many(&mut waiting, LIMIT).await > 0 {
        let (jobs, senders): (Vec<_>, Vec<_>) = waiting.drain(..).unzip();
        let answers = in_time(trips.run(&jobs)).await;
        match answers {
            Ok(answers) => {
                for (sender, answer) in senders.into_iter().zip(answers) {
                    // The client may have gone; a payment is stored anyway.
                    let _ = sender.send(Ok(answer));
                }
            }
            Err(error) => {
                let error = Arc::new(error);
                for sender in senders {
                    let _ = sender.send(Err(StorageError::Group(Arc::clone(&error))));
                }
            }
        }
    }
}
