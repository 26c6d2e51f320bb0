//! The clock of the gateway and of its database steps.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::process::Command;
use tokio::time::sleep;

use super::Scale;
use crate::checks::{Limits, Outcome};
use crate::gateway::PROGRAM;
use crate::seed::Seed;
use crate::world::{Kind, Launch, World};

/// Hours, from the time that it is: forward and back, back and forward.
const STEPS: [&str; 4] = ["+1h", "+0", "-1h", "+0"];
/// Longer than a key's window of one second, and the second by which a step back may make it
/// longer.
const WINDOW: Duration = Duration::from_millis(2500);

pub(super) async fn steps(kind: Kind, scale: Scale, seed: &mut Seed) -> Outcome {
    let Some(library) = library() else {
        println!("skipped: there is no libfaketime; install the package faketime");
        return Outcome::default();
    };
    let folder = tempfile::tempdir().unwrap();
    let clock = folder.path().join("clock");
    set(&clock, "+0");
    let mut command = Command::new(PROGRAM);
    command
        .env("LD_PRELOAD", library)
        .env("FAKETIME_TIMESTAMP_FILE", &clock)
        .env("FAKETIME_NO_CACHE", "1");
    // Timers go on as they do when an administrator sets the clock.
    command
        .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
        .env("DONT_FAKE_MONOTONIC", "1");
    let mut world = World::start(kind.database().await, Launch::through(command)).await;
    for step in STEPS.into_iter().cycle().take(2 * scale.rounds) {
        sleep(seed.pause(Duration::from_millis(300))).await;
        let key = format!("before{step}-{}", seed.next());
        assert!(world.target.attempt(&key).await);
        sleep(WINDOW).await;
        set(&clock, step);
        let (again, conflict) = world.ask(&key).await;
        assert_eq!(
            (again, conflict.as_str()),
            (409, "idempotency_conflict"),
            "{step} opens the window of a key"
        );
        sleep(seed.pause(Duration::from_millis(300))).await;
    }
    world.recovers().await;
    world.end(Limits::UNNOTICED).await
}

fn set(clock: &Path, time: &str) {
    let new = clock.with_extension("new");
    std::fs::write(&new, format!("{time}\n")).unwrap();
    std::fs::rename(new, clock).unwrap();
}

/// Returns the library at the paths of distributions.
fn library() -> Option<PathBuf> {
    let named = std::env::var_os("PAYSPEC_FAKETIME").map(PathBuf::from);
    let arch = std::env::consts::ARCH;
    let places = [
        format!("/usr/lib/{arch}-linux-gnu/faketime/libfaketime.so.1"),
        "/usr/lib64/faketime/libfaketime.so.1".to_owned(),
        "/usr/lib/faketime/libfaketime.so.1".to_owned(),
    ];
    named
        .into_iter()
        .chain(places.map(PathBuf::from))
        .find(|path| path.exists())
}
