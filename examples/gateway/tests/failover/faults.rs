//! What happens to a cluster.

use std::time::Duration;

use crate::machine::Program;
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
    PauseDatabase,
    PauseMachine,
    KillGateway,
    RestartEtcd,
}

pub(crate) const FAULTS: &[Fault] = &[
    Fault { name: "kill -9 of the primary", kind: Kind::KillPrimary },
    Fault { name: "machine of the primary killed", kind: Kind::KillMachine },
    Fault { name: "primary cut from the others", kind: Kind::CutFromOthers },
    Fault { name: "primary cut from all", kind: Kind::CutFromAll },
    Fault { name: "primary paused", kind: Kind::PauseDatabase },
    Fault { name: "machine of the primary paused", kind: Kind::PauseMachine },
    Fault { name: "gateway killed", kind: Kind::KillGateway },
    Fault { name: "member of etcd restarted", kind: Kind::RestartEtcd },
];

/// Longer than `ttl` of Patroni, so that the primary is replaced meanwhile.
const LONG: Duration = Duration::from_secs(11);
const SHORT: Duration = Duration::from_secs(2);

impl Fault {
    /// Injects the fault, waits, and undoes it.
    pub(crate) async fn inject(&self, world: &mut World, seed: &mut Seed) {
        let primary = world.cluster.primary().await;
        // So that a round does not always meet the same moment of Patroni's loop.
        let more = seed.pause(Duration::from_secs(2));
        match self.kind {
            Kind::KillPrimary => {
                world.cluster.machines[primary].signal("KILL", &[Program::Postgres]);
                tokio::time::sleep(SHORT + more).await;
            }
            Kind::KillMachine => {
                world.cluster.machines[primary].signal("KILL", &[]);
                tokio::time::sleep(LONG + more).await;
                let machine = &mut world.cluster.machines[primary];
                machine.start(Program::Etcd);
                machine.start(Program::Patroni);
            }
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
            Kind::PauseDatabase => pause(world, primary, &[Program::Postgres], LONG + more).await,
            Kind::PauseMachine => pause(world, primary, &[], LONG + more).await,
            Kind::KillGateway => {
                let index = seed.below(world.gateways.len());
                let _ = world.gateways[index].child.start_kill();
                tokio::time::sleep(SHORT + more).await;
                world.start_gateway(index).await;
            }
            Kind::RestartEtcd => {
                let index = seed.below(world.cluster.machines.len());
                world.cluster.machines[index].signal("KILL", &[Program::Etcd]);
                tokio::time::sleep(SHORT + more).await;
                world.cluster.machines[index].start(Program::Etcd);
            }
        }
        for machine in &mut world.cluster.machines {
            // Patroni gives up if its server was killed at a moment when it could not start another.
            if !machine.runs(Program::Patroni) {
                machine.start(Program::Patroni);
            }
        }
    }
}

/// Clients still reach the primary, but the other servers and members of etcd do not.
fn cut(world: &World, primary: usize, is_cut: bool) {
    let machines = &world.cluster.machines;
    for (index, other) in machines.iter().enumerate().filter(|(index, _)| *index != primary) {
        machines[primary].drop_to(other, is_cut);
        machines[index].drop_to(&machines[primary], is_cut);
    }
}

async fn pause(world: &mut World, primary: usize, programs: &[Program], time: Duration) {
    world.cluster.machines[primary].signal("STOP", programs);
    tokio::time::sleep(time).await;
    world.cluster.machines[primary].signal("CONT", programs);
}
