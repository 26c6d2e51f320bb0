//! How soon a sandbox is ready, and how much memory it needs. `cargo xtask cli` measures the
//! release.

use std::time::Instant;

use crate::process::{Sandbox, body};

/// For this unoptimized program on a busy machine; the release build has a tenth of it.
const MOST_MILLIS: u128 = 3000;
const MOST_KIB: u64 = 60 * 1024;

#[test]
fn is_ready_soon_and_small() {
    let start = Instant::now();
    let sandbox = Sandbox::start(&[]);
    let ready = start.elapsed().as_millis();
    let merchant = sandbox.merchant();
    for _ in 0..100 {
        merchant.create(&body());
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", sandbox.id())).unwrap();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(
        ready < MOST_MILLIS && peak < MOST_KIB,
        "ready after {ready} ms, {peak} KiB"
    );
}
