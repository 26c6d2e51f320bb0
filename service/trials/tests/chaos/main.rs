//! Faults under load: each answered payment is stored once, its events come in order, and `/readyz`
//! is right.
//!
//! Each fault is a file in `faults`. Each test injects one; `long`, which `cargo xtask chaos` runs,
//! injects all of them in random order until its time is over, with more connections.

mod checker;
mod checks;
mod faults;
#[allow(dead_code, reason = "shared with the failover test")]
mod ledger;
mod load;
mod long;
mod ready;
mod seed;
mod world;

#[path = "../../../gateway/tests/service/database.rs"]
#[allow(dead_code, reason = "shared with the tests of the service")]
mod database;
#[path = "../../../gateway/tests/service/gateway.rs"]
#[allow(dead_code, reason = "shared with the tests of the service")]
mod gateway;
#[path = "../../../gateway/tests/service/postgres.rs"]
mod postgres;
#[path = "../../../gateway/tests/service/receiver.rs"]
#[allow(dead_code, reason = "shared with the tests of the service")]
mod receiver;

use faults::{Scale, named};
use seed::Seed;

/// Faults are of the gateway and of the database's processes, not of the machine.
pub(crate) const FSYNC: &str = "off";

/// Injects a fault once into each of its databases.
async fn inject(name: &str) {
    // Faults compete for processors, and memory is measured: one after the other.
    static ONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
    let _one = ONE.lock().await;
    let fault = named(name);
    for kind in fault.kinds {
        let mut seed = Seed::new(1);
        let outcome = (fault.run)(*kind, Scale::SHORT, &mut seed).await;
        println!("{name} on {kind:?}: {outcome:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_stops_payments_until_there_is_space() {
    inject("full disk").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_log_stops_nothing() {
    inject("closed log").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_log_stops_nothing() {
    inject("full log").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unread_log_stops_nothing() {
    inject("log not read").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn more_connections_than_descriptors_leave_some_to_others() {
    inject("more connections than descriptors").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_descriptors_clients_wait_until_there_are_some() {
    inject("no descriptors").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_are_closed_and_stop_nothing() {
    inject("silent connections").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_readers_and_writers_stop_nothing() {
    inject("slow readers and writers").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sigterm_loses_nothing() {
    inject("SIGTERM").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sigkill_loses_nothing() {
    inject("SIGKILL").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn steps_of_the_clock_stop_nothing_and_open_no_window() {
    inject("clock steps").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn receivers_that_hang_or_lie_delay_no_others() {
    inject("hanging and lying receivers").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_restarts_is_found_again() {
    inject("database restart").await;
}
