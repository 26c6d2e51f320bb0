//! The log cannot be written.

use std::fs::OpenOptions;
use std::time::Duration;

use super::Scale;
use crate::checks::{Limits, Outcome};
use crate::seed::Seed;
use crate::world::{Kind, Launch, World};

/// How long the load goes on.
const TIME: Duration = Duration::from_secs(1);

async fn unnoticed(kind: Kind, launch: Launch, fault: impl FnOnce()) -> Outcome {
    let mut world = World::start(kind.database().await, launch).await;
    fault();
    tokio::time::sleep(TIME).await;
    world.recovers().await;
    world.end(Limits::UNNOTICED).await
}

/// Its reader ends.
pub(super) async fn closed(kind: Kind, _: Scale, _: &mut Seed) -> Outcome {
    let (reader, writer) = std::io::pipe().unwrap();
    let reading = std::thread::spawn(move || {
        let mut reader = reader;
        let mut some = [0; 4096];
        for _ in 0..100 {
            let _ = std::io::Read::read(&mut reader, &mut some);
        }
    });
    unnoticed(kind, Launch::plain().log(writer), || {
        reading.join().unwrap()
    })
    .await
}

/// Its disk is full.
pub(super) async fn full(kind: Kind, _: Scale, _: &mut Seed) -> Outcome {
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    unnoticed(kind, Launch::plain().log(full), || ()).await
}

/// Its reader hangs: a pipe takes 64 KiB, and then a write waits for ever.
pub(super) async fn not_read(kind: Kind, _: Scale, _: &mut Seed) -> Outcome {
    let (reader, writer) = std::io::pipe().unwrap();
    let launch = Launch::plain().log(writer).with(&["--log", "debug"]);
    let outcome = unnoticed(kind, launch, || ()).await;
    drop(reader);
    outcome
}
