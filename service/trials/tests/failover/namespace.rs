//! Runs a test in namespaces of its own: network, mounts, and processes. All processes end with it.

use std::future::Future;
use std::process::Command;

/// Is set for the program inside: the file that it creates before the test.
const INSIDE: &str = "FAILOVER_INSIDE";

/// Runs the test of this name again inside, where it calls `test`. Without root, a namespace of
/// users makes it possible.
pub(crate) fn inside<F: Future<Output = ()>>(name: &str, test: impl FnOnce() -> F) {
    if let Some(started) = std::env::var_os(INSIDE) {
        std::fs::write(started, "").unwrap();
        run("ip", &["link", "set", "lo", "up"]);
        // `ip netns` keeps its list there.
        run("mount", &["-t", "tmpfs", "tmpfs", "/run"]);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(test());
        return;
    }
    // Clusters compete for processors: one after the other.
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _one = ONE
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut command = Command::new("unshare");
    if !is_root() {
        command.args(["--user", "--map-root-user"]);
    }
    command.args([
        "--net",
        "--mount",
        "--pid",
        "--fork",
        "--kill-child",
        "--mount-proc",
        "--",
    ]);
    // The first process must wait for orphans: Patroni takes a server that has ended, but is not
    // waited for, for a running one.
    command.args(["sh", "-c", "\"$0\" \"$@\"; exit $?"]);
    command.arg(std::env::current_exe().unwrap()).args([
        name,
        "--exact",
        "--include-ignored",
        "--nocapture",
    ]);
    // HAProxy is in a folder that users do not search.
    let path = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin";
    let folder = tempfile::tempdir().unwrap();
    let started = folder.path().join("started");
    let status = command
        .env(INSIDE, &started)
        .env("PATH", path)
        .status()
        .expect("unshare of util-linux");
    assert!(status.success(), "{name} has failed");
    // The program also succeeds if it has no test of this name.
    assert!(started.exists(), "{name} has not run");
}

fn is_root() -> bool {
    Command::new("id")
        .arg("-u")
        .output()
        .unwrap()
        .stdout
        .trim_ascii()
        == b"0"
}

/// Runs a command that succeeds.
pub(crate) fn run(program: &str, arguments: &[&str]) {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// PostgreSQL refuses to run as root: the arguments that switch to another user, and the owner of
/// its files.
pub(crate) fn unprivileged() -> (&'static [&'static str], &'static str) {
    let map = std::fs::read_to_string("/proc/self/uid_map").unwrap();
    // In a namespace of users, one user is mapped, who is another one in a further namespace.
    if map.split_whitespace().nth(2) == Some("1") {
        (
            &[
                "unshare",
                "--user",
                "--map-user=1000",
                "--map-group=1000",
                "--",
            ],
            "0",
        )
    } else {
        (&["runuser", "-u", "postgres", "--"], "postgres")
    }
}
