//! The loss of the primary: three PostgreSQL servers under Patroni with etcd, HAProxy, three
//! gateways, and clients.
//!
//! Each machine is a network namespace, and all of it is in a namespace of its own, which ends with
//! the test. The files in `service/trials/failover` configure it. `cargo xtask failover` runs
//! many rounds, the tests a few.

#[path = "../chaos/checker.rs"]
mod checker;
mod cluster;
#[path = "../../../gateway/tests/service/database.rs"]
#[allow(dead_code, reason = "shared with the tests of the service")]
mod database;
mod faults;
#[path = "../../../gateway/tests/service/gateway.rs"]
#[allow(dead_code, reason = "shared with the tests of the service")]
mod gateway;
#[path = "../chaos/ledger.rs"]
#[allow(dead_code, reason = "shared with the chaos suite")]
mod ledger;
#[path = "../chaos/load.rs"]
mod load;
mod machine;
mod namespace;
#[path = "../../../gateway/tests/service/postgres.rs"]
#[allow(dead_code, reason = "shared with the tests of the service")]
mod postgres;
mod reads;
#[path = "../../../gateway/tests/service/receiver.rs"]
#[allow(dead_code, reason = "shared with the tests of the service")]
mod receiver;
mod report;
mod rounds;
#[path = "../chaos/seed.rs"]
mod seed;
mod world;

use cluster::Replication;
use faults::{FAULTS, Fault};
use report::Report;

/// Of the servers that `postgres` would start; those of the cluster write to the disk.
pub(crate) const FSYNC: &str = "on";

fn named(name: &str) -> &'static Fault {
    FAULTS.iter().find(|fault| fault.name == name).unwrap()
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| {
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a number"))
    })
}

#[test]
fn synchronous_replication_loses_nothing() {
    namespace::inside("synchronous_replication_loses_nothing", || async {
        let faults = [
            "kill -9 of the primary",
            "primary cut from the others",
            "primary paused",
            "gateway killed",
        ];
        let report = rounds::run(Replication::Synchronous, &faults.map(named), 1).await;
        println!("{report}");
        assert!(report.is_right(), "{:#?}", report.failures());
    });
}

/// Without this, the other test would also pass if the checker saw nothing.
#[test]
fn asynchronous_replication_loses_payments_and_the_checker_sees_it() {
    namespace::inside(
        "asynchronous_replication_loses_payments_and_the_checker_sees_it",
        || async {
            let report = rounds::run(
                Replication::Asynchronous,
                &[named("primary cut from the others")],
                1,
            )
            .await;
            println!("{report}");
            assert_lost(&report);
        },
    );
}

fn assert_lost(report: &Report) {
    assert!(
        report.lost() > 0,
        "no loss is found with asynchronous replication"
    );
}

#[test]
#[ignore = "cargo xtask failover runs it"]
fn long() {
    namespace::inside("long", || async {
        let rounds = usize::try_from(number("FAILOVER_ROUNDS").unwrap_or(10)).unwrap();
        let start_seed = number("FAILOVER_SEED").unwrap_or_else(|| getrandom::u64().unwrap());
        println!("seed {start_seed}");
        let mut seed = seed::Seed::new(start_seed);
        let mut faults = Vec::new();
        while faults.len() < rounds {
            let mut all: Vec<&'static Fault> = FAULTS.iter().collect();
            seed.shuffle(&mut all);
            faults.extend(all);
        }
        faults.truncate(rounds);
        let is_asynchronous = std::env::var_os("FAILOVER_ASYNCHRONOUS").is_some();
        let replication = if is_asynchronous {
            Replication::Asynchronous
        } else {
            Replication::Synchronous
        };
        let report = rounds::run(replication, &faults, seed.next()).await;
        println!("{report}");
        if let Some(file) = std::env::var_os("FAILOVER_REPORT") {
            std::fs::write(
                file,
                format!(
                    "{} rounds, the seed {start_seed}.\n{report}\n",
                    report.rounds.len()
                ),
            )
            .unwrap();
        }
        if is_asynchronous {
            assert_lost(&report);
        } else {
            assert!(
                report.is_right(),
                "seed {start_seed}: {:#?}",
                report.failures()
            );
        }
    });
}
