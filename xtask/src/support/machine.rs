//! The machine of a measurement. No paths, no user names.

use std::process::Command;

/// Returns the last commit, and whether the working tree has changes; `None` without git.
pub(crate) fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(payspec_support::root())
            .output()
            .ok()?;
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changed.is_empty() {
        commit
    } else {
        format!("{commit}, with changes")
    })
}

pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

pub(crate) fn processor() -> String {
    let linux = fs_err::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = linux
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    if let Some((_, model)) = model {
        return model.trim().to_owned();
    }
    let mac = Command::new("sysctl")
        .args(["-n", "machdep.cpu.brand_string"])
        .output();
    let mac = mac
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        .unwrap_or_default();
    if mac.is_empty() {
        "unknown processor".to_owned()
    } else {
        mac
    }
}

/// Returns the average number of processes that ran or were waiting in the last minute; `None`
/// where it is unknown.
pub(crate) fn load() -> Option<String> {
    let text = fs_err::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next().map(str::to_owned)
}
