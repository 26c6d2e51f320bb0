//! Ctrl-C, SIGTERM, and SIGHUP: all processes that a command has started end before the command
//! itself.

use anstream::eprintln;
use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, getpid, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The exit code that shells report for a program that SIGINT has ended.
const INTERRUPTED: i32 = 130;
/// A process that has not ended this long after SIGTERM is killed.
const GRACE: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(50);
/// The longest time that a new process takes to appear in the list.
const SETTLED: Duration = Duration::from_millis(300);

static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);
static EXIT_CODE: AtomicI32 = AtomicI32::new(INTERRUPTED);

/// Handles the signals from now on, in a separate thread.
///
/// On Linux this process adopts orphaned descendants, so that a server that has detached from its
/// parent is found too.
///
/// # Errors
/// Returns the reason if the signals cannot be handled.
pub(crate) fn install() -> Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(getpid())).context("orphans")?;
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM]).context("signals")?;
    thread::spawn(move || {
        if signals.forever().next().is_some() {
            IS_INTERRUPTED.store(true, Ordering::SeqCst);
            end_descendants();
            // Gives a thread whose program has just ended time to print its last lines.
            thread::sleep(POLL);
            std::process::exit(EXIT_CODE.load(Ordering::SeqCst));
        }
    });
    Ok(())
}

/// Treats an interrupt as the regular end of this command: a service that runs until Ctrl-C.
pub(crate) fn is_success() {
    EXIT_CODE.store(0, Ordering::SeqCst);
}

/// Blocks until this process ends if a signal has been received, so that no further program is
/// started.
pub(crate) fn stop_if_interrupted() {
    if IS_INTERRUPTED.load(Ordering::SeqCst) {
        loop {
            thread::park();
        }
    }
}

/// Ends all descendants: sends each one SIGTERM, kills the remaining ones after [`GRACE`], and
/// returns when the list has been empty for a moment.
fn end_descendants() {
    let start = Instant::now();
    let mut last_seen = start;
    let mut signaled = BTreeSet::new();
    while last_seen.elapsed() < SETTLED {
        let found = descendants();
        if !found.is_empty() {
            last_seen = Instant::now();
        }
        for pid in found {
            let signal = if start.elapsed() > GRACE {
                Signal::KILL
            } else {
                Signal::TERM
            };
            if signaled.insert((pid, signal.as_raw())) {
                // The process may have ended since it was listed.
                let _ = Pid::from_raw(pid).map(|pid| kill_process(pid, signal));
            }
        }
        if start.elapsed() > GRACE * 2 {
            eprintln!("some processes do not end");
            return;
        }
        thread::sleep(POLL);
    }
}

/// Returns the running descendants of this process.
fn descendants() -> Vec<i32> {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for (pid, parent) in processes() {
        children.entry(parent).or_default().push(pid);
    }
    let mut found = Vec::new();
    let mut next = vec![getpid().as_raw_nonzero().get()];
    while let Some(parent) = next.pop() {
        let below = children.remove(&parent).unwrap_or_default();
        next.extend(&below);
        found.extend(below);
    }
    found
}

/// Returns the processes that are not zombies, each with its parent.
#[cfg(target_os = "linux")]
fn processes() -> Vec<(i32, i32)> {
    let entries = fs_err::read_dir("/proc").into_iter().flatten().flatten();
    let stats = entries.filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs_err::read_to_string(entry.path().join("stat")).ok()?;
        parent_in(&stat).map(|parent| (pid, parent))
    });
    stats.collect()
}

/// Returns the parent in a line of `/proc/PID/stat`. The second field is a name that may contain
/// spaces and parentheses.
#[cfg(target_os = "linux")]
fn parent_in(stat: &str) -> Option<i32> {
    let (_, rest) = stat.rsplit_once(") ")?;
    let (state, rest) = rest.split_once(' ')?;
    let parent = rest.split(' ').next()?.parse().ok()?;
    (state != "Z").then_some(parent)
}

#[cfg(not(target_os = "linux"))]
fn processes() -> Vec<(i32, i32)> {
    let mut ps = std::process::Command::new("ps");
    ps.args(["-A", "-o", "pid=,ppid=,state="])
        .stdout(std::process::Stdio::piped());
    // It lists itself, as a process below this one.
    let Ok(child) = ps.spawn() else {
        return Vec::new();
    };
    let lister = child.id();
    let output = child.wait_with_output();
    let text = output
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_default();
    let lines = text.lines().filter_map(|line| {
        let mut fields = line.split_whitespace();
        let (pid, parent): (i32, i32) =
            (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        if u32::try_from(pid) == Ok(lister) {
            return None;
        }
        fields
            .next()
            .is_some_and(|state| !state.starts_with('Z'))
            .then_some((pid, parent))
    });
    lines.collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn reads_the_parent_after_the_name() {
        assert_eq!(parent_in("17 (a (b) c) S 4 17 17 0"), Some(4));
        assert_eq!(parent_in("17 (sh) Z 4 17 17 0"), None);
        assert_eq!(parent_in(""), None);
    }

    #[test]
    fn finds_a_process_below_a_process() {
        let mut shell = Command::new("sh")
            .args(["-c", "sleep 60 & echo $!; wait"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = std::io::BufReader::new(shell.stdout.take().unwrap());
        std::io::BufRead::read_line(&mut out, &mut line).unwrap();
        let sleeping: i32 = line.trim().parse().unwrap();
        let found = descendants();
        let _ = kill_process(Pid::from_raw(sleeping).unwrap(), Signal::KILL);
        shell.wait().unwrap();
        assert!(found.contains(&sleeping) && found.contains(&(shell.id() as i32)));
    }
}
