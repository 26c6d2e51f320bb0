//! Where and with what the figures were taken: processor, compiler, versions of the peers. No paths, no names.

use super::figures::Run;
use std::process::Command;

/// The peers in Rust whose versions Cargo.lock knows.
const PEERS: [&str; 4] = ["serde_json", "sonic-rs", "jsonschema", "garde"];

/// Name and value, in the order of the table.
pub(crate) fn facts(runs: &[Run]) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    facts.extend(commit().map(|commit| ("commit".to_owned(), commit)));
    facts.extend([
        ("processor".to_owned(), format!("{}, {} cores", processor(), cores())),
        ("system".to_owned(), format!("{} on {}", std::env::consts::OS, std::env::consts::ARCH)),
        ("rustc".to_owned(), format!("{}, profile release, no target-cpu", compiler())),
    ]);
    facts.extend(PEERS.iter().filter_map(|peer| Some(((*peer).to_owned(), locked(peer)?))));
    facts.extend(runs.iter().flat_map(|run| run.versions.iter().cloned()));
    facts
}

/// What was measured, where that is known to git: the last commit, and whether there is more than it holds.
fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(payspec_tests::root()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changed.is_empty() { commit } else { format!("{commit}, and changes") })
}

/// Release and LLVM of the compiler that builds the programs: both decide how many instructions they have.
pub(crate) fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").current_dir(payspec_tests::root()).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let value =
        |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("unknown").trim().to_owned();
    format!("{}, LLVM {}", value("release:"), value("LLVM version:"))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn processor() -> String {
    let linux = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = linux.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    if let Some((_, model)) = model {
        return model.trim().to_owned();
    }
    let mac = Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output();
    let mac = mac.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    if mac.is_empty() { "unknown processor".to_owned() } else { mac }
}

/// The version of a package in Cargo.lock.
fn locked(name: &str) -> Option<String> {
    let lock = std::fs::read_to_string(payspec_tests::root().join("Cargo.lock")).ok()?;
    let (_, rest) = lock.split_once(&format!("\nname = \"{name}\"\nversion = \""))?;
    rest.split('"').next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_peer_has_a_version_and_the_compiler_too() {
        for peer in PEERS {
            assert!(locked(peer).is_some(), "{peer}");
        }
        assert!(!compiler().contains("unknown"), "{}", compiler());
    }
}
