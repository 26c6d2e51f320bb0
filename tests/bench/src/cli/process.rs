//! Runs a command, and returns its processor time, its elapsed time, and its largest resident set.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The result of a run.
#[derive(Default)]
pub(super) struct Measured {
    /// The exit status; `None` after a signal.
    pub(super) status: Option<i32>,
    /// User and system time of all threads.
    pub(super) processor: Duration,
    pub(super) elapsed: Duration,
    /// The largest resident set in KiB. It is at least that of this process when the command was
    /// started.
    pub(super) memory: u64,
}

/// A command whose output is discarded.
pub(super) struct Program {
    program: String,
    arguments: Vec<String>,
}

impl Program {
    /// Returns the program with arguments, then paths.
    pub(super) fn new(program: &str, arguments: &[&str], paths: &[&Path]) -> Self {
        let paths = paths.iter().map(|path| path.display().to_string());
        let arguments = arguments
            .iter()
            .map(|argument| (*argument).to_owned())
            .chain(paths)
            .collect();
        Program {
            program: program.to_owned(),
            arguments,
        }
    }

    /// Runs the command.
    #[expect(clippy::zombie_processes, reason = "`wait4` waits for the child")]
    pub(super) fn run(&self) -> Measured {
        let mut command = Command::new(&self.program);
        // GNU sed is several times slower with a locale of UTF-8.
        command
            .args(&self.arguments)
            .env("LC_ALL", "C")
            .env("NO_COLOR", "1");
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let start = Instant::now();
        let child = command
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", self.program));
        let (status, usage) = wait(child.id());
        let duration =
            |time: libc::timeval| Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000);
        Measured {
            status: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
            processor: duration(usage.ru_utime) + duration(usage.ru_stime),
            elapsed: start.elapsed(),
            memory: usage.ru_maxrss as u64,
        }
    }
}

/// Waits for a child, and returns its status and what it has used.
fn wait(id: u32) -> (i32, libc::rusage) {
    let mut status = 0;
    // SAFETY: the structure consists of integers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are valid for writes. The child has not been waited for.
    let waited = unsafe { libc::wait4(id as libc::pid_t, &mut status, 0, &mut usage) };
    assert_eq!(waited, id as libc::pid_t, "the child has ended");
    (status, usage)
}
