//! What happens to a cluster.

use std::time::Duration;

use crate::machine::{Machine, Program};
use crate::seed::Seed;
use crate::world::World;

/// A fault. It begins, lasts for a while, and is undone.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) name: &'static str,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    KillPrimary,
    KillMachine,
    CutFromOthers,
    CutFromAll,
    CutFromGateways,
    PauseDatabase,
    PauseMachine,
    KillStandby,
    KillGateway,
    RestartEtcd(usize),
}

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "kill -9 of the primary",
        kind: Kind::KillPrimary,
    },
    Fault {
        name: "machine of the primary killed",
        kind: Kind::KillMachine,
    },
    Fault {
        name: "primary cut from the others",
        kind: Kind::CutFromOthers,
    },
    Fault {
        name: "primary cut from all",
        kind: Kind::CutFromAll,
    },
    Fault {
        name: "primary cut from the gateways",
        kind: Kind::CutFromGateways,
    },
    Fault {
        name: "primary paused",
        kind: Kind::PauseDatabase,
    },
    Fault {
        name: "machine of the primary paused",
        kind: Kind::PauseMachine,
    },
    Fault {
        name: "machine of the synchronous standby killed",
        kind: Kind::KillStandby,
    },
    Fault {
        name: "gateway killed",
        kind: Kind::KillGateway,
    },
    Fault {
        name: "one member of etcd killed",
        kind: Kind::RestartEtcd(1),
    },
    Fault {
        name: "two members of etcd killed",
        kind: Kind::RestartEtcd(2),
    },
];

/// Longer than `ttl` of Patroni, so that the primary is replaced meanwhile.
const LONG: Duration = Duration::from_secs(11);
const SHORT: Duration = Duration::from_secs(2);

impl Fault {
    /// Injects the fault, waits, and undoes it.
    pub(crate) async fn inject(&self, world: &mut World, seed: &mut Seed) {
        let [primary, standby] = world.cluster.pair().await;
        // So that a round does not always meet the same moment of Patroni's loop.
        let more = seed.pause(Duration::from_secs(2));
        match self.kind {
            Kind::KillPrimary => {
                world.cluster.machines[primary].signal("KILL", &[Program::Postgres]);
                tokio::time::sleep(SHORT + more).await;
            }
            Kind::KillMachine => kill(&mut world.cluster.machines[primary], LONG + more).await,
            Kind::KillStandby => kill(&mut world.cluster.machines[standby], LONG + more).await,
            Kind::CutFromOthers => {
                cut(world, primary, true);
                tokio::time::sleep(LONG + more).await;
                cut(world, primary, false);
            }
            Kind::CutFromAll => {
                world.cluster.machines[primary].connect(false);
                tokio::time::sleep(LONG + more).await;
                world.cluster.machines[primary].connect(true);
            }
            Kind::CutFromGateways => {
                world.cluster.machines[primary].drop_from_gateways(true);
                tokio::time::sleep(LONG + more).await;
                world.cluster.machines[primary].drop_from_gateways(false);
            }
            Kind::PauseDatabase => {
                pause(
                    &mut world.cluster.machines[primary],
                    &[Program::Postgres],
                    LONG + more,
                )
                .await
            }
            Kind::PauseMachine => {
                pause(&mut world.cluster.machines[primary], &[], LONG + more).await
            }
            Kind::KillGateway => {
                let index = seed.below(world.gateways.len());
                let _ = world.gateways[index].child.start_kill();
                tokio::time::sleep(SHORT + more).await;
                world.start_gateway(index).await;
            }
            Kind::RestartEtcd(count) => {
                let machines = &mut world.cluster.machines;
                let mut indexes: Vec<usize> = (0..machines.len()).collect();
                seed.shuffle(&mut indexes);
                let killed = &indexes[..count];
                killed
                    .iter()
                    .for_each(|index| machines[*index].signal("KILL", &[Program::Etcd]));
                tokio::time::sleep(SHORT + more).await;
                killed
                    .iter()
                    .for_each(|index| machines[*index].start(Program::Etcd));
            }
        }
        for machine in &mut world.cluster.machines {
            // Patroni gives up if its server was killed at a moment when it could not start
            // another.
            if !machine.runs(Program::Patroni) {
                machine.start(Program::Patroni);
            }
        }
    }
}

/// Clients still reach the primary, but the other servers and members of etcd do not.
fn cut(world: &World, primary: usize, is_cut: bool) {
    let machines = &world.cluster.machines;
    for (index, other) in machines
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != primary)
    {
        machines[primary].drop_to(other, is_cut);
        machines[index].drop_to(&machines[primary], is_cut);
    }
}

/// All processes of the machine end, and start again later.
async fn kill(machine: &mut Machine, time: Duration) {
    machine.signal("KILL", &[]);
    tokio::time::sleep(time).await;
    machine.start(Program::Etcd);
    machine.start(Program::Patroni);
}

async fn pause(machine: &mut Machine, programs: &[Program], time: Duration) {
    machine.signal("STOP", programs);
    tokio::time::sleep(time).await;
    machine.signal("CONT", programs);
}
