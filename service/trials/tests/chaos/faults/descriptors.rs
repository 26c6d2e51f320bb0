//! There are no descriptors.

use std::time::Duration;

use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
use tokio::net::{TcpSocket, TcpStream};
use tokio::process::Command;

use super::Scale;
use crate::checks::{Limits, Outcome};
use crate::gateway::PROGRAM;
use crate::ready::Expected;
use crate::seed::Seed;
use crate::world::{Kind, Launch, World};

const TIME: Duration = Duration::from_millis(1500);
const DESCRIPTORS: usize = 128;

/// One address opens more connections than the gateway has descriptors, and opens them again when
/// they are closed.
pub(super) async fn crowd(kind: Kind, scale: Scale, _: &mut Seed) -> Outcome {
    let mut command = Command::new("sh");
    let script = format!(r#"ulimit -n {DESCRIPTORS}; exec "$@""#);
    command.args(["-c", &script, "sh", PROGRAM]);
    let mut world = World::start(kind.database().await, Launch::through(command)).await;
    let mut streams = Vec::new();
    for _ in 0..scale.rounds * 3 {
        for _ in 0..3 * DESCRIPTORS {
            streams.extend(stranger(&world).await);
        }
        tokio::time::sleep(TIME / 3).await;
        streams.drain(..DESCRIPTORS);
    }
    drop(streams);
    world.recovers().await;
    world.end(Limits::UNNOTICED).await
}

/// A connection from another address of this machine.
async fn stranger(world: &World) -> Option<TcpStream> {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.9:0".parse().unwrap()).unwrap();
    socket.connect(world.address()).await.ok()
}

/// Every descriptor that the gateway may have is in use: it accepts no connection, opens none, and
/// opens no file.
pub(super) async fn none(kind: Kind, scale: Scale, seed: &mut Seed) -> Outcome {
    let mut world = World::start(kind.database().await, Launch::plain()).await;
    let pid = Pid::from_raw(world.pid().cast_signed()).unwrap();
    for _ in 0..scale.rounds {
        tokio::time::sleep(seed.pause(TIME)).await;
        world.watch.expect(Expected::Any);
        let used = std::fs::read_dir(format!("/proc/{}/fd", world.pid()))
            .unwrap()
            .count();
        // The least number that is free is above all in use, or one of the few gaps.
        let before = limit(pid, u64::try_from(used).unwrap());
        tokio::time::sleep(TIME).await;
        assert!(
            world.gateway.child.try_wait().unwrap().is_none(),
            "it has ended"
        );
        prlimit(Some(pid), Resource::Nofile, before).unwrap();
        world.recovers().await;
    }
    world.end(Limits::NOTICED).await
}

/// Sets the limit of descriptors of a process, and returns the one before.
fn limit(pid: Pid, descriptors: u64) -> Rlimit {
    // The upper limit stays what it is, since only root may raise it again. A child has that of its
    // parent.
    let maximum = getrlimit(Resource::Nofile).maximum;
    prlimit(
        Some(pid),
        Resource::Nofile,
        Rlimit {
            current: Some(descriptors),
            maximum,
        },
    )
    .unwrap()
}
