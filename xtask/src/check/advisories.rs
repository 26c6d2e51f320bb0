//! Published advisories on dependencies: the copy of the RustSec database on this machine, its
//! date, and the check of `Cargo.lock` with it.

use crate::support::checks::Checks;
use crate::support::process::{cargo, run_checked, text_of};
use crate::support::style::WARN;
use anstream::println;
use anyhow::{Context, Result};
use fs_err as fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The age of a copy from which a warning is printed. The database changes several times a week.
const OLD: Duration = Duration::from_secs(30 * DAY.as_secs());

/// Downloads the advisories if the network permits it, prints the date of the copy, and checks the
/// dependencies with it. Without a copy, prints a warning and checks nothing.
pub(super) fn check() -> Result<Checks> {
    let downloaded = download();
    let copy = copy_in(&copies()?)?;
    let is_offline = downloaded.is_err();
    let Some(copy) = copy else {
        let reason = downloaded.err().map_or_else(String::new, last_line);
        println!(
            "   {WARN}warning{WARN:#}  advisories are not checked: this machine has no copy of the \
             database, and none can be downloaded ({reason})"
        );
        return Ok(Checks::default());
    };
    let commit = Commit::newest_in(&copy)?;
    println!("   the advisories are of {}", commit.day);
    if let Some(warning) = commit.warning(SystemTime::now()) {
        println!("   {WARN}warning{WARN:#}  {warning}");
    }
    let mut deny = cargo();
    deny.args(["deny", "--locked"]);
    // Otherwise cargo-deny would try to download them again, and fail.
    deny.args(is_offline.then_some("--offline"));
    deny.args(["check", "advisories"]);
    let mut checks = Checks::default();
    let name = format!("advisories of {}", commit.day);
    checks.check(&name, run_checked(&mut deny, "cargo deny"));
    Ok(checks)
}

/// Downloads the newest advisories. Git ends a transfer that does not move.
fn download() -> Result<String> {
    let mut fetch = cargo();
    fetch
        .args(["deny", "fetch", "db"])
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_HTTP_LOW_SPEED_LIMIT", "1000")
        .env("GIT_HTTP_LOW_SPEED_TIME", "30");
    text_of(&mut fetch)
}

/// Returns the last line of an error that has text: the reason that git prints.
fn last_line(error: anyhow::Error) -> String {
    let text = error.to_string();
    let line = text.lines().rfind(|line| !line.trim().is_empty());
    line.unwrap_or_default().to_owned()
}

/// Returns the folder of cargo-deny for copies of databases.
fn copies() -> Result<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let default = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo"));
    let home = home
        .or_else(default)
        .context("expected CARGO_HOME or HOME")?;
    Ok(home.join("advisory-dbs"))
}

/// Returns the copy in a folder. Its name ends with a hash of the address of the database.
fn copy_in(folder: &Path) -> Result<Option<PathBuf>> {
    if !folder.is_dir() {
        return Ok(None);
    }
    let entries = fs::read_dir(folder)?.collect::<std::io::Result<Vec<_>>>()?;
    let is_copy = |entry: &&fs::DirEntry| {
        let name = entry.file_name();
        name.to_string_lossy().starts_with("advisory-db-") && entry.path().join(".git").is_dir()
    };
    Ok(entries.iter().find(is_copy).map(fs::DirEntry::path))
}

/// The newest commit of a copy.
struct Commit {
    /// Its date: `2026-11-27`.
    day: String,
    time: SystemTime,
}

impl Commit {
    fn newest_in(copy: &Path) -> Result<Commit> {
        let mut git = Command::new("git");
        git.arg("-C").arg(copy).args(["show", "-s", "HEAD"]);
        let printed = text_of(git.arg("--format=%cs %ct"))?;
        let (day, seconds) = printed
            .trim()
            .split_once(' ')
            .with_context(|| format!("a date and a time in {printed:?}"))?;
        Ok(Commit {
            day: day.to_owned(),
            time: UNIX_EPOCH + Duration::from_secs(seconds.parse()?),
        })
    }

    /// Returns a warning if the commit is older than [`OLD`].
    fn warning(&self, now: SystemTime) -> Option<String> {
        let age = now.duration_since(self.time).unwrap_or_default();
        let days = age.as_secs() / DAY.as_secs();
        (age > OLD).then(|| {
            format!(
                "the copy of the advisories is {days} days old: newer ones were not checked; \
                 `cargo xtask deny` downloads them if the network permits it"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a copy with a commit of that time.
    fn copy_of(folder: &Path, seconds: u64) {
        let copy = folder.join("advisory-db-0123456789abcdef");
        fs::create_dir_all(&copy).unwrap();
        let git = |arguments: &[&str]| {
            let mut git = Command::new("git");
            git.arg("-C").arg(&copy).args(["-c", "user.name=a"]);
            git.args(["-c", "user.email=a@payspec.example"]);
            let date = format!("{seconds} +0000");
            text_of(git.args(arguments).env("GIT_COMMITTER_DATE", date)).unwrap();
        };
        git(&["init", "--quiet"]);
        git(&["commit", "--quiet", "--allow-empty", "--message", "db"]);
    }

    #[test]
    fn dates_a_copy_and_warns_after_thirty_days() {
        let name = format!("payspec-advisories-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        assert!(copy_in(&folder.join("absent")).unwrap().is_none());
        assert!(copy_in(&folder).unwrap().is_none());
        copy_of(&folder, 1_700_000_000);
        let copy = copy_in(&folder).unwrap().expect("the copy");
        let commit = Commit::newest_in(&copy).unwrap();
        assert_eq!(commit.day, "2023-11-14");
        let after = |age| UNIX_EPOCH + Duration::from_secs(1_700_000_000) + age;
        assert_eq!(commit.warning(after(Duration::ZERO)), None);
        assert_eq!(commit.warning(after(OLD)), None);
        assert_eq!(commit.warning(UNIX_EPOCH), None);
        let warning = commit.warning(after(31 * DAY)).expect("a warning");
        assert!(warning.contains("is 31 days old"), "{warning}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
