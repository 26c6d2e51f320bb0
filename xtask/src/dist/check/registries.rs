//! The command line from registries of npm and PyPI, which are folders behind a server of files: in
//! empty folders, without Rust on the `PATH`.

use super::installation::{Packages, isolated};
use crate::build::install::VERSION;
use crate::dist::archive::{copy, files, write};
use crate::support::process::text_of;
use crate::support::test_counts::TestCounts;
use anstream::println;
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub(super) const TOOLS: &str = "node python3 python3-venv uv";

const BODY: &str =
    r#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"JPY","amount":"1500.50"}"#;
const VERDICT: &str = "the currency has 0 fraction digits";

/// A terminated launcher ends its sandbox.
const SANDBOX: &str = r#"
node_modules/.bin/payspec sandbox --listen 127.0.0.1:0 > sandbox.txt &
launcher=$!
tries=0
until grep -q http sandbox.txt; do
    tries=$((tries + 1))
    [ $tries -lt 100 ]
    sleep 0.1
done
program=$(cat /proc/$launcher/task/$launcher/children)
kill -0 $program
kill $launcher
if wait $launcher; then :; fi
if kill -0 $program 2> /dev/null; then echo "the sandbox still runs"; exit 1; fi
"#;

/// A server of files, ended with its owner.
struct Registry {
    child: Child,
    address: String,
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Registry {
    /// Serves the packages as registries do: a document for each package of npm, and a list of links
    /// for each project of PyPI.
    fn start(packages: &Packages, folder: &Path) -> Result<Registry> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let address = format!("http://127.0.0.1:{port}");
        for file in files(&packages.dist)? {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            if !(name.ends_with(".tgz") || name.ends_with(".whl")) {
                continue;
            }
            copy(&file, &folder.join("files").join(&*name))?;
            if name.ends_with(".tgz") {
                publish(&file, &format!("{address}/files/{name}"), folder)?;
            }
        }
        for project in ["payspec", "payspec-cli"] {
            let begin = format!("{}-{VERSION}-", project.replace('-', "_"));
            let served = files(&folder.join("files"))?;
            let names = served.iter().filter_map(|file| file.file_name()?.to_str());
            let links: String = names
                .filter(|name| name.starts_with(&begin) && name.ends_with(".whl"))
                .map(|name| format!("<a href=\"/files/{name}\">{name}</a>\n"))
                .collect();
            write(&folder.join(format!("simple/{project}/index.html")), &links)?;
        }
        let child = Command::new("python3")
            .args(["-m", "http.server", "--bind", "127.0.0.1", "--directory"])
            .arg(folder)
            .arg(port.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let registry = Registry { child, address };
        let accepts = || TcpStream::connect(("127.0.0.1", port)).is_ok();
        let started = Instant::now();
        while !accepts() {
            ensure!(
                started.elapsed() < Duration::from_secs(20),
                "no server of files"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(registry)
    }
}

/// Writes the document of a package of npm.
fn publish(archive: &Path, address: &str, folder: &Path) -> Result<()> {
    let mut tar = Command::new("tar");
    let manifest = text_of(tar.arg("xzOf").arg(archive).arg("package/package.json"))?;
    let mut manifest: Value = serde_json::from_str(&manifest)?;
    let name = manifest["name"]
        .as_str()
        .context("a package without a name")?
        .to_owned();
    manifest["dist"] = json!({ "tarball": address });
    let document = json!({
        "name": name, "dist-tags": { "latest": VERSION }, "versions": { VERSION: manifest },
    });
    write(&folder.join(&name), &document.to_string())
}

/// Installs the command line with npx, npm, uvx, and pip, and runs it. Prints the seconds until the
/// first verdict.
pub(super) fn run(packages: &Packages) -> Result<TestCounts> {
    let folder = packages.empty("registries")?;
    let registry = Registry::start(packages, &folder.join("served"))?;
    let mut counts = npm(&folder.join("npm"), &registry.address)?;
    counts.add(python(&folder.join("python"), &registry.address)?);
    Ok(counts)
}

/// Returns the `PATH` without the folders that contain Rust.
fn path_without_rust() -> Result<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let has_rust = |folder: &PathBuf| {
        ["cargo", "rustc", "rustup"]
            .iter()
            .any(|name| folder.join(name).exists())
    };
    Ok(std::env::join_paths(
        std::env::split_paths(&path).filter(|folder| !has_rust(folder)),
    )?)
}

/// Runs a command that must print the verdict of an invalid body, and prints its seconds.
fn verdict(name: &str, command: &mut Command) -> Result<TestCounts> {
    let started = Instant::now();
    let output = command.output()?;
    let seconds = started.elapsed().as_secs_f64();
    let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let is_expected = output.status.code() == Some(1) && printed.contains(VERDICT);
    ensure!(is_expected, "{command:?}: {}\n{printed}", output.status);
    println!("   {name}: the first verdict after {seconds:.1} s");
    Ok(TestCounts::of_check(true))
}

fn npm(folder: &Path, registry: &str) -> Result<TestCounts> {
    write(&folder.join("body.json"), BODY)?;
    let path = path_without_rust()?;
    let command = |program: &str| {
        let mut command = isolated(program, folder);
        command
            .env("PATH", &path)
            .env("npm_config_registry", registry)
            .env("npm_config_audit", "false")
            .env("npm_config_update_notifier", "false");
        command
    };
    let arguments = ["--yes", "payspec", "validate", "body.json"];
    let mut counts = verdict("npx payspec", command("npx").args(arguments))?;
    let arguments = ["--yes", "payspec-cli", "validate", "body.json"];
    counts.add(verdict("npx payspec-cli", command("npx").args(arguments))?);
    // In a project, the installed version runs, without the registry.
    write(&folder.join("package.json"), r#"{"private":true}"#)?;
    let packages = ["install", "--no-fund", "payspec", "payspec-cli"];
    text_of(command("npm").args(packages))?;
    let arguments = ["--offline", "payspec", "validate", "body.json"];
    counts.add(verdict(
        "npx payspec in a project",
        command("npx").args(arguments),
    )?);
    text_of(command("sh").args(["-ec", SANDBOX]))?;
    counts.add(TestCounts::of_check(true));
    // Without the optional packages, the reason is one line.
    text_of(command("npm").args(["install", "--no-fund", "--omit=optional"]))?;
    let missing = "node_modules/.bin/payspec --version > out.txt 2>&1 && exit 1; grep -q 'is not installed: npm install payspec-cli' out.txt";
    text_of(command("sh").args(["-c", missing]))?;
    counts.add(TestCounts::of_check(true));
    Ok(counts)
}

fn python(folder: &Path, registry: &str) -> Result<TestCounts> {
    write(&folder.join("body.json"), BODY)?;
    let path = path_without_rust()?;
    let uv = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .map(|folder| folder.join("uv"))
        .find(|program| program.exists())
        .context("uv is missing")?;
    let index = format!("{registry}/simple/");
    let uvx = |package: &str| {
        let mut command = isolated(&uv, folder);
        command
            .env("UV_DEFAULT_INDEX", &index)
            .env("UV_PYTHON_DOWNLOADS", "never")
            .args(["tool", "run", package, "validate", "body.json"]);
        command
    };
    let mut counts = verdict("uvx payspec", &mut uvx("payspec"))?;
    counts.add(verdict("uvx payspec-cli", &mut uvx("payspec-cli"))?);
    let command = |program: PathBuf| {
        let mut command = isolated(program, folder);
        command.env("PATH", &path).env("PIP_INDEX_URL", &index);
        command
    };
    text_of(command("python3".into()).args(["-m", "venv", "environment"]))?;
    let bin = folder.join("environment/bin");
    let install = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-cache-dir",
        "--disable-pip-version-check",
    ];
    text_of(command(bin.join("python")).args(install).arg("payspec"))?;
    // Without uv and pipx, the reason is one line.
    let mut alone = isolated(bin.join("payspec"), folder);
    let output = alone.env("PATH", folder).arg("--version").output()?;
    let expected = format!(
        "payspec: the program is in the package payspec-cli: pip install payspec-cli=={VERSION}\n"
    );
    ensure!(String::from_utf8_lossy(&output.stderr) == expected && !output.status.success());
    let started = Instant::now();
    text_of(
        command(bin.join("python"))
            .args(install)
            .arg("payspec[cli]"),
    )?;
    let arguments = ["validate", "body.json"];
    counts.add(verdict(
        "payspec after pip",
        command(bin.join("payspec")).args(arguments),
    )?);
    println!(
        "   pip install 'payspec[cli]': {:.1} s",
        started.elapsed().as_secs_f64()
    );
    counts.add(TestCounts::of_check(true));
    Ok(counts)
}
