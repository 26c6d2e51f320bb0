//! Thousands of connections that send nothing.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::AsyncReadExt;
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::Scale;
use crate::checks::{self, Limits, Outcome};
use crate::seed::Seed;
use crate::world::{Kind, Launch, World};

/// Connections from one address: less than half of what the gateway takes.
const OF_ADDRESS: usize = 2_000;
/// How often they come: memory must go back each time.
const TIMES: usize = 3;
/// Descriptors for the rest, in the tests and in the gateway.
const RESERVED: u64 = 512;

pub(super) async fn run(kind: Kind, scale: Scale, _: &mut Seed) -> Outcome {
    let (wanted, seconds) = scale.silent;
    let count = wanted.min(usize::try_from(raise_descriptors() - RESERVED).unwrap());
    if count < wanted {
        println!("only {count} silent connections: there are not more descriptors");
    }
    let launch = Launch::plain().with(&["--client-timeout", &seconds.to_string()]);
    let mut world = World::start(kind.database().await, launch).await;
    for _ in 0..TIMES {
        open_and_close(&world, count, seconds).await;
        checks::memory_is_back(world.pid(), world.memory, Limits::UNNOTICED.memory).await;
    }
    world.recovers().await;
    world.end(Limits::UNNOTICED).await
}

/// Opens them all, and waits until the gateway has closed them.
async fn open_and_close(world: &World, count: usize, seconds: u64) {
    let start = Instant::now();
    let mut streams = Vec::new();
    for number in 0..count {
        streams.push(connect(world.address(), number / OF_ADDRESS).await);
    }
    let open = std::fs::read_dir(format!("/proc/{}/fd", world.pid()))
        .unwrap()
        .count();
    // On a busy machine, the first ones may have been closed before the last ones are there.
    let is_late = start.elapsed() >= Duration::from_secs(seconds);
    assert!(
        is_late || open > count * 9 / 10,
        "only {open} of {count} are open after {:?}",
        start.elapsed()
    );
    let mut closing = JoinSet::new();
    for mut stream in streams {
        closing.spawn(async move {
            let end = timeout(
                Duration::from_secs(2 * seconds + 5),
                stream.read_to_end(&mut Vec::new()),
            )
            .await;
            assert!(end.is_ok(), "a silent connection is never closed");
        });
    }
    closing.join_all().await;
}

async fn connect(address: SocketAddr, group: usize) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    let own = Ipv4Addr::new(127, 0, 1, 1 + u8::try_from(group).unwrap());
    socket.bind(SocketAddr::new(own.into(), 0)).unwrap();
    socket.connect(address).await.unwrap()
}

/// Raises the limit of descriptors as far as the system allows, and returns it.
fn raise_descriptors() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = setrlimit(
        Resource::Nofile,
        Rlimit {
            current: maximum,
            maximum,
        },
    );
    raised.map_or(current, |()| maximum).unwrap_or(u64::MAX)
}
