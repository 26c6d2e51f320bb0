//! `kill -9` during a migration loses nothing.

use crate::program::{payspec, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The output, rejects, and changes of a run in the folder.
struct Run<'f> {
    folder: &'f Path,
    name: &'f str,
}

impl Run<'_> {
    fn paths(&self) -> [PathBuf; 3] {
        ["bodies", "rejects", "changes"]
            .map(|kind| self.folder.join(format!("{}-{kind}", self.name)))
    }

    fn command(&self, resume: bool) -> std::process::Command {
        let [bodies, rejects, changes] = self.paths();
        let mut command = payspec(&["migrate", "requests", "--downgrade"]);
        command
            .arg(self.folder.join("input"))
            .arg("-o")
            .arg(bodies)
            .arg("--rejects")
            .arg(rejects);
        command
            .arg("--changes")
            .arg(changes)
            .args(resume.then_some("--resume"))
            .stderr(Stdio::null());
        command
    }

    fn texts(&self) -> [Vec<u8>; 3] {
        self.paths().map(|path| fs::read(path).unwrap())
    }
}

#[test]
fn resumes_with_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bodies = [
        run(&["generate", "--count", "500"], b"").stdout,
        b"not JSON\n\n{\"cur\":}\n".to_vec(),
        run(&["generate", "--count", "500", "--seed", "9"], b"").stdout,
    ];
    fs::write(folder.join("input"), bodies.concat().repeat(60)).unwrap();
    let whole = Run {
        folder,
        name: "whole",
    };
    let status = whole.command(false).status().unwrap();
    // Some lines cannot be migrated.
    assert_eq!(status.code(), Some(1));
    let expected = whole.texts();
    assert!(expected.iter().all(|text| !text.is_empty()));

    let mut killed = 0;
    for (index, wait) in [0_u64, 1, 20, 100, 300, 700].into_iter().enumerate() {
        let name = format!("killed-{index}");
        let run = Run {
            folder,
            name: &name,
        };
        let journal = folder.join(format!("{name}-bodies.journal"));
        for attempt in 0.. {
            let mut child = run.command(attempt > 0).spawn().unwrap();
            if attempt == 3 {
                assert_eq!(child.wait().unwrap().code(), Some(1));
                break;
            }
            // From the first record on, a run can continue.
            let start = Instant::now();
            while !journal.exists()
                && start.elapsed() < Duration::from_secs(20)
                && child.try_wait().unwrap().is_none()
            {
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(Duration::from_millis(wait));
            child.kill().unwrap();
            let status = child.wait().unwrap();
            killed += u32::from(status.code().is_none());
            if status.code().is_some() {
                break;
            }
            assert!(
                !run.paths()[0].exists() || !journal.exists(),
                "a file has its name before it is complete"
            );
        }
        assert!(run.texts() == expected, "{name} differs");
        assert!(!journal.exists());
    }
    assert!(killed >= 3, "only {killed} runs were interrupted");
    let left: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert!(
        left.iter()
            .all(|name| !name.to_string_lossy().ends_with(".partial")),
        "{left:?}"
    );
}

#[test]
fn continues_only_the_same_run() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(
        folder.join("input"),
        run(&["generate", "--count", "100000"], b"").stdout,
    )
    .unwrap();
    let run = Run {
        folder,
        name: "run",
    };
    let journal = folder.join("run-bodies.journal");
    let mut child = run.command(false).spawn().unwrap();
    while !journal.exists() {
        assert!(
            child.try_wait().unwrap().is_none(),
            "the run is too short to be interrupted"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let mut input = fs::OpenOptions::new()
        .append(true)
        .open(folder.join("input"))
        .unwrap();
    std::io::Write::write_all(&mut input, b"{}\n").unwrap();
    let output = run.command(true).stderr(Stdio::piped()).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        message.contains("belongs to a run with another input") && message.lines().count() == 1,
        "{message}"
    );
    // Without --resume the run starts again.
    assert_eq!(run.command(false).status().unwrap().code(), Some(1));
    assert!(!journal.exists() && run.paths()[0].exists());
}
