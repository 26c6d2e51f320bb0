//! The module for Go and the wheel for Windows under wine.

use super::emulated::compiler;
use super::installation::{Packages, counts_of, prints, program_of, unzip};
use super::native::{go_command, go_module};
use super::windows_python::windows_python;
use super::wine::{Wine, platform, random, zig_cache};
use crate::dist::archive::{copy, copy_tracked};
use crate::dist::go_module::go_system;
use crate::dist::platform::Platform;
use crate::support::process::text_of;
use crate::support::test_counts::TestCounts;
use anyhow::Result;
use payspec_support::root;

/// Runs the tests that start no other process: with wine, a child of Python has no standard input.
const TESTS: &str = "
import sys, unittest
sys.path.insert(0, 'tests')
tests = unittest.defaultTestLoader.loadTestsFromNames(['test_engine', 'test_objects', 'test_vectors'])
result = unittest.TextTestRunner(sys.stdout).run(tests)
sys.exit(not result.wasSuccessful())
";

/// Runs the tests of both, among them all vectors.
pub(super) fn run(packages: &Packages) -> Result<TestCounts> {
    let platform = platform()?;
    let wine = Wine(packages.empty("wine")?);
    let mut counts = go(packages, platform, &wine)?;
    counts.add(python(packages, platform, &wine)?);
    Ok(counts)
}

/// Compiles the tests of the module with zig, and runs them.
fn go(packages: &Packages, platform: &Platform, wine: &Wine) -> Result<TestCounts> {
    let (_, module) = go_module(packages)?;
    random(&module)?;
    let mut build = go_command("go", &module);
    build
        .args(["test", "-c", "-o", "bin/tests.exe", "."])
        .env("CC", compiler(platform, &module)?)
        .env("CGO_ENABLED", "1")
        .env("GOOS", go_system(platform))
        .env("GOARCH", platform.architecture);
    zig_cache(&mut build);
    text_of(&mut build)?;
    counts_of(wine.run("bin/tests.exe", &module).arg("-test.v"))
}

/// Runs the program of the readme with the wheel, and the tests.
fn python(packages: &Packages, platform: &Platform, wine: &Wine) -> Result<TestCounts> {
    let folder = packages.empty("windows-python")?;
    let interpreter = windows_python()?;
    random(&folder)?;
    let library = "bcryptprimitives.dll";
    copy(
        &folder.join("bin").join(library),
        &interpreter.join(library),
    )?;
    // The same as pip does with a wheel whose tags fit.
    let wheel = packages.file("payspec-", &format!("{}.whl", platform.wheel))?;
    unzip(&wheel, &folder.join("site-packages"))?;
    let readme = root().join("bindings/python/README.md");
    program_of(&readme, "python", &folder.join("gateway.py"))?;
    copy_tracked(&root(), "bindings/python/tests", &folder.join("tests"))?;
    let interpreter = interpreter.join("python.exe").display().to_string();
    let python = |arguments: &[&str]| {
        let mut command = wine.run(&interpreter, &folder);
        command
            .args(arguments)
            .env("PYTHONPATH", folder.join("site-packages"))
            .env("PYTHONUTF8", "1");
        command
    };
    let mut counts = prints(&mut python(&["gateway.py"]), "201 False\r\n201 True\r\n")?;
    counts.add(counts_of(&mut python(&["-c", TESTS]))?);
    Ok(counts)
}
