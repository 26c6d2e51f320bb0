//! Prepares output folders: creates them and checks that they are writable and large enough, before
//! a long build starts.

use anyhow::{Result, anyhow};
use fs_err as fs;
use std::io::ErrorKind;
use std::path::Path;

const GIB: u64 = 1 << 30;

/// Creates a folder and checks that a file can be written in it and that its disk has `gibibytes`
/// left.
///
/// # Errors
/// Returns one sentence with the folder and the problem.
pub(crate) fn writable(folder: &Path, gibibytes: u64) -> Result<()> {
    let probe = folder.join(format!(".probe-{}", std::process::id()));
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&probe, "x"));
    let _ = fs::remove_file(&probe);
    written.map_err(|error| anyhow!(sentence(folder, &error)))?;
    match free(folder) {
        Some(left) if left < gibibytes * GIB => Err(anyhow!(
            "{} has {} MiB left on its disk; {gibibytes} GiB are needed. CARGO_TARGET_DIR selects another folder.",
            folder.display(),
            left >> 20
        )),
        _ => Ok(()),
    }
}

/// Describes an error and, if there is one, its remedy.
fn sentence(folder: &Path, error: &std::io::Error) -> String {
    let folder = folder.display();
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            format!("The disk of {folder} is full.")
        }
        ErrorKind::ReadOnlyFilesystem => {
            format!("{folder} is on a read-only disk. CARGO_TARGET_DIR selects another folder.")
        }
        ErrorKind::PermissionDenied => {
            format!(
                "{folder} cannot be written by this user. CARGO_TARGET_DIR selects another folder."
            )
        }
        _ => format!("{folder} cannot be written: {error}."),
    }
}

fn free(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    disk.f_bavail.checked_mul(disk.f_frsize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_too_little_space_and_a_path_below_a_file() {
        let folder = std::env::temp_dir().join(format!("payspec-disk-{}", std::process::id()));
        assert!(writable(&folder, 0).is_ok());
        let error = writable(&folder, 1 << 30).unwrap_err().to_string();
        assert!(error.contains(" MiB left on its disk"), "{error}");
        fs::write(folder.join("file"), "").unwrap();
        let error = writable(&folder.join("file/below"), 0)
            .unwrap_err()
            .to_string();
        assert!(error.contains("cannot be written: "), "{error}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
