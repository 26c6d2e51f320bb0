//! Makes due what is due by the clocks that run. Stopped clocks are left alone.

use std::sync::Arc;
use std::time::Duration;

use super::clock::Micros;
use super::journal::Journal;
use super::registry::Sandbox;

/// The longest pause, in case the clock of a merchant starts unnoticed.
const LONGEST: Duration = Duration::from_secs(60);
/// A merchant whose receiver is slow is looked at again after this.
const BUSY: Duration = Duration::from_millis(50);

/// Runs until it is aborted.
pub(crate) async fn run(sandbox: Arc<Sandbox>, journal: Option<Journal>) {
    loop {
        let mut pause = LONGEST;
        for merchant in sandbox.merchants() {
            let due = {
                let state = merchant.store.state();
                state
                    .clock
                    .is_running()
                    .then(|| state.next_due().map(|due| due - state.clock.now()))
                    .flatten()
            };
            match due {
                None => {}
                Some(micros) if micros > 0 => pause = pause.min(wait(micros)),
                // In a task of its own, so that a slow receiver delays no other merchant.
                Some(_) if merchant.agenda.try_lock().is_ok() => {
                    let (sandbox, journal) = (Arc::clone(&sandbox), journal.clone());
                    tokio::spawn(async move {
                        merchant.run_due(&sandbox).await;
                        if let Some(journal) = journal {
                            journal.write_merchant(&merchant).await;
                        }
                        sandbox.wake.notify_one();
                    });
                }
                Some(_) => pause = pause.min(BUSY),
            }
        }
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = sandbox.wake.notified() => {}
        }
    }
}

fn wait(micros: Micros) -> Duration {
    Duration::from_micros(u64::try_from(micros).unwrap_or_default())
}
