//! The disk of the database is full, and then it is not.

use std::fs::{OpenOptions, remove_file};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;
use tokio::process::Command;

use super::Scale;
use crate::checks::{Limits, Outcome};
use crate::database::Database;
use crate::gateway::{self, PROGRAM};
use crate::ready::Expected;
use crate::seed::Seed;
use crate::world::{Kind, Launch, World};

/// A disk that only the gateway sees, with a copy of the database.
const SCRIPT: &str =
    r#"mount -t tmpfs -o size=32m tmpfs "$1" && cp "$2"* "$1" && shift 2 && exec "$@""#;
const FUNCTION: &str = "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS \
                        $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$";
/// How soon `/readyz` must say that there is no space.
const NOTICED: Duration = Duration::from_secs(10);

pub(super) async fn full(kind: Kind, scale: Scale, seed: &mut Seed) -> Outcome {
    let disk = tempfile::tempdir().unwrap();
    let mut world = match kind {
        Kind::Sqlite => on_small_disk(&disk).await,
        Kind::Postgres => World::start(kind.database().await, Launch::plain()).await,
    };
    if kind == Kind::Postgres {
        world.database.execute(FUNCTION).await;
    }
    for _ in 0..scale.rounds {
        tokio::time::sleep(seed.pause(Duration::from_millis(500))).await;
        world.watch.expect(Expected::Any);
        match kind {
            Kind::Sqlite => fill(&world, &disk).await,
            Kind::Postgres => refuse(&world).await,
        }
        world.recovers().await;
    }
    world.end(Limits::NOTICED).await
}

/// The gateway has a disk of its own, which others see through its process.
async fn on_small_disk(disk: &TempDir) -> World {
    let original = Database::sqlite();
    gateway::token(&original, "shop-7");
    let mut command = Command::new("unshare");
    command
        .args(["-rm", "sh", "-c", SCRIPT, "sh"])
        .arg(disk.path());
    command
        .arg(original.url.trim_start_matches("sqlite:"))
        .arg(PROGRAM)
        .env("GATEWAY_MIN_FREE_SPACE", "1");
    let mut launch = Launch::through(command);
    launch.url = Some(format!("sqlite:{}/gateway.db", disk.path().display()));
    let mut world = World::start(original, launch).await;
    world.hidden = Some(seen(&world, disk).join("gateway.db"));
    world
}

fn seen(world: &World, disk: &TempDir) -> PathBuf {
    format!("/proc/{}/root{}", world.pid(), disk.path().display()).into()
}

async fn fill(world: &World, disk: &TempDir) {
    let filler = seen(world, disk).join("filler");
    let path = filler.clone();
    let filling = tokio::spawn(async move {
        // Space that becomes free is taken too.
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .unwrap();
        loop {
            while file.write_all(&[0; 4096]).is_ok() {}
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    world.watch.becomes(Expected::NotReady, NOTICED).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    world.watch.expect(Expected::Any);
    filling.abort();
    let _ = filling.await;
    remove_file(filler).unwrap();
}

/// PostgreSQL reports 53100 where its disk is full; triggers do the same.
async fn refuse(world: &World) {
    const TABLES: [(&str, &str); 3] = [
        ("payments", "INSERT OR UPDATE"),
        ("outbox", "UPDATE"),
        ("readiness", "UPDATE"),
    ];
    for (table, event) in TABLES {
        let trigger = format!(
            "CREATE TRIGGER full_disk BEFORE {event} ON {table} EXECUTE FUNCTION full_disk()"
        );
        world.database.execute(&trigger).await;
    }
    world.watch.becomes(Expected::NotReady, NOTICED).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    world.watch.expect(Expected::Any);
    for (table, _) in TABLES {
        world
            .database
            .execute(&format!("DROP TRIGGER full_disk ON {table}"))
            .await;
    }
}
