//! `cargo xtask dist --measure`: the overhead of a call in each language, and the speed of the
//! installed wheel beside pydantic.

use super::installation::{Packages, isolated};
use super::{native, npm, wheel};
use crate::bench::{compare_python, hundredths};
use crate::dist::archive::copy;
use crate::dist::output::text_of;
use anstream::println;
use payspec_support::root;
use std::path::Path;
use std::process::Command;

const README: &str = "tests/bench/overhead/README.md";
const BEGIN: &str = "<!-- ANCHOR: table -->\n";
const END: &str = "<!-- ANCHOR_END: table -->\n";

/// A language, and its program, which prints the nanoseconds of a verdict and of a report.
type Row = (&'static str, fn(&Packages, &Path) -> Result<String, String>);

const ROWS: [Row; 6] = [
    ("C", c),
    ("JavaScript, WebAssembly", javascript),
    ("Go, cgo", go),
    ("PHP, FFI", php),
    ("Python, ctypes", python),
    ("Java, JNA", java),
];

/// Runs the programs of all languages with the installed packages, and writes their times and P11
/// to the readme of the programs.
pub(crate) fn run(packages: &Packages) -> Result<(), String> {
    let programs = root().join("tests/bench/overhead");
    let mut table = "| language | verdict | report | above C |\n|---|---|---|---|\n".to_owned();
    let mut least: Option<[u64; 2]> = None;
    for (language, program) in &ROWS {
        let printed = program(packages, &programs)?;
        let times: Vec<u64> = printed
            .split_whitespace()
            .filter_map(|word| word.parse().ok())
            .collect();
        let [verdict, report] = times[..] else {
            return Err(format!("{language} printed {printed:?}"));
        };
        let above = least.map_or(String::new(), |[first, second]| {
            // Nanoseconds are thousandths of a microsecond.
            let microseconds =
                |time: u64, of_c: u64| format!("{} µs", hundredths(time.saturating_sub(of_c)));
            format!(
                "{}, {}",
                microseconds(verdict, first),
                microseconds(report, second)
            )
        });
        least = least.or(Some([verdict, report]));
        table +=
            &format!("| {language} | {verdict} | {report} | {above} |\n").replace("|  |", "| |");
    }
    table += &format!(
        "\nWith the installed wheel, {}.\n",
        beside_pydantic(packages)?
    );
    println!("{table}");
    let path = root().join(README);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{README}: {error}"))?;
    let begin = text
        .split_once(BEGIN)
        .ok_or_else(|| format!("{README} has no {BEGIN}"))?
        .0;
    let end = text
        .split_once(END)
        .ok_or_else(|| format!("{README} has no {END}"))?
        .1;
    std::fs::write(&path, format!("{begin}{BEGIN}{table}{END}{end}"))
        .map_err(|error| format!("{README}: {error}"))
}

fn c(packages: &Packages, programs: &Path) -> Result<String, String> {
    let folder = packages.empty("c")?;
    let archive = packages.file("payspec-", "x86_64-linux-gnu.tar.gz")?;
    text_of(
        Command::new("tar")
            .arg("xzf")
            .arg(archive)
            .args(["--strip-components=1", "-C"])
            .arg(&folder),
    )?;
    copy(&programs.join("native.c"), &folder.join("native.c"))?;
    let script =
        "cc -O2 -Iinclude native.c lib/libpayspec.so -Wl,-rpath,$PWD/lib -o native && ./native";
    text_of(isolated("sh", &folder).args(["-ec", script]))
}

fn javascript(packages: &Packages, programs: &Path) -> Result<String, String> {
    let folder = npm::installed(packages)?;
    copy(&programs.join("overhead.mjs"), &folder.join("overhead.mjs"))?;
    text_of(npm::tool("node", &folder).arg("overhead.mjs"))
}

fn go(packages: &Packages, programs: &Path) -> Result<String, String> {
    let (folder, _) = native::go_module(packages)?;
    let program = folder.join("gateway");
    copy(&programs.join("overhead.go"), &program.join("main.go"))?;
    text_of(native::go_command("sh", &program).args(["-ec", &native::go_run()]))
}

fn php(packages: &Packages, programs: &Path) -> Result<String, String> {
    let (folder, _) = native::php_package(packages)?;
    copy(&programs.join("overhead.php"), &folder.join("overhead.php"))?;
    text_of(isolated("php", &folder).arg("overhead.php"))
}

fn python(packages: &Packages, programs: &Path) -> Result<String, String> {
    let (folder, python) = wheel::installed(packages)?;
    copy(&programs.join("overhead.py"), &folder.join("overhead.py"))?;
    text_of(isolated(python, &folder).arg("overhead.py"))
}

fn java(packages: &Packages, programs: &Path) -> Result<String, String> {
    let folder = native::jar(packages)?;
    copy(
        &programs.join("Overhead.java"),
        &folder.join("Overhead.java"),
    )?;
    let path = format!("payspec.jar:{}", crate::examples::jna());
    text_of(isolated("java", &folder).args(["-cp", &path, "Overhead.java"]))
}

/// Measures P11 with the installed wheel, and the libraries of the benchmark in the same
/// environment.
fn beside_pydantic(packages: &Packages) -> Result<String, String> {
    let (folder, python) = wheel::installed(packages)?;
    let bench = root().join("tests/bench/python");
    let mut pip = Command::new(&python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--only-binary=:all:",
        "--require-hashes",
        "-r",
    ]);
    text_of(pip.arg(bench.join("requirements.txt")))?;
    let mut program = isolated(&python, &folder);
    program
        .arg(bench.join("bench.py"))
        .arg("--installed")
        .env("PYTHONDONTWRITEBYTECODE", "1");
    compare_python(text_of(&mut program)?.as_bytes())
}
