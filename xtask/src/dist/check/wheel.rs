//! The wheels and the sdist.

use super::installation::{Packages, counts_of, isolated, prints, program_of};
use crate::build::install::VERSION;
use crate::dist::platform::System;
use crate::support::process::text_of;
use crate::support::test_counts::TestCounts;
use anyhow::{Result, bail};
use payspec_support::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The tags are true, and the metadata is what PyPI accepts.
pub(super) fn tags(packages: &Packages) -> Result<TestCounts> {
    let mut counts = TestCounts::default();
    let others = packages.extent.other_systems();
    for platform in packages.extent.linux().into_iter().chain(others) {
        let wheel = packages.file("payspec-", &format!("{}.whl", platform.wheel))?;
        // auditwheel cannot find the libraries of musl on this machine; `symbols` checks those.
        if platform.system == System::Linux && !platform.is_musl() {
            let text = text_of(Command::new("auditwheel").arg("show").arg(&wheel))?;
            if !text.contains("is consistent with") || !text.contains("manylinux") {
                bail!(text);
            }
        }
        text_of(
            Command::new("twine")
                .args(["check", "--strict"])
                .arg(&wheel),
        )?;
        // The module calls only functions of the stable ABI of the oldest Python.
        let mut abi3audit = Command::new("abi3audit");
        text_of(abi3audit.arg("--strict").arg(&wheel))?;
        counts.add(TestCounts {
            passed: 3,
            failed: 0,
        });
    }
    text_of(
        Command::new("twine")
            .args(["check", "--strict"])
            .arg(packages.file(&format!("payspec-{VERSION}.tar.gz"), "")?),
    )?;
    counts.add(TestCounts::of_check(true));
    Ok(counts)
}

/// Creates an environment with a package in it, and returns its interpreter.
fn environment(folder: &Path, package: &Path) -> Result<PathBuf> {
    text_of(isolated("python3", folder).args(["-m", "venv", "environment"]))?;
    let python = folder.join("environment/bin/python");
    let mut pip = isolated(&python, folder);
    text_of(
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-index",
            "--no-cache-dir",
        ])
        .arg(package),
    )?;
    Ok(python)
}

/// Installs the wheel of this machine into a new folder, and returns the folder and its
/// interpreter.
pub(super) fn installed(packages: &Packages) -> Result<(PathBuf, PathBuf)> {
    let folder = packages.empty("python")?;
    let python = environment(
        &folder,
        &packages.file("payspec-", "manylinux_2_28_x86_64.whl")?,
    )?;
    Ok((folder, python))
}

/// Installs the wheel of this machine; runs the program of the readme, the type checkers, the
/// tests, and all vectors.
pub(super) fn native(packages: &Packages) -> Result<TestCounts> {
    let (folder, python) = installed(packages)?;
    let program = folder.join("gateway.py");
    program_of(
        &root().join("bindings/python/README.md"),
        "python",
        &program,
    )?;
    let run = || isolated(&python, &folder);
    let mut counts = prints(
        run().env("PATH", folder.join("none")).arg("gateway.py"),
        "201 False\n201 True\n",
    )?;
    let place = "import payspec, payspec._native as n, pathlib as p; print(p.Path(n.__file__).parent == p.Path(payspec.__file__).parent)";
    counts.add(prints(run().args(["-c", place]), "True\n")?);
    // The tests are copied, so that they import the installed package.
    crate::dist::archive::copy_tracked(&root(), "bindings/python/tests", &folder.join("tests"))?;
    counts.add(counts_of(run().arg("tests"))?);
    for checker in [&["mypy", "--strict"][..], &["pyright"]] {
        let mut command = Command::new(checker[0]);
        command
            .args(&checker[1..])
            .arg("gateway.py")
            .current_dir(&folder)
            .env("HOME", &folder);
        match checker[0] {
            "mypy" => command.arg("--python-executable").arg(&python),
            _ => command.arg("--pythonpath").arg(&python),
        };
        text_of(&mut command)?;
        counts.add(TestCounts::of_check(true));
    }
    Ok(counts)
}

/// A native module of another version, or another file in its place, is one clear sentence.
pub(super) fn replaced(packages: &Packages) -> Result<TestCounts> {
    let (folder, python) = installed(packages)?;
    let find = "import importlib.util as u, pathlib as p; print(p.Path(u.find_spec('payspec').origin).parent, end='')";
    let package = PathBuf::from(text_of(isolated(&python, &folder).args(["-c", find]))?);
    let library = package.join("_native.abi3.so");
    let message = || {
        let program =
            "try:\n    from payspec import Engine\nexcept ImportError as error:\n    print(error)";
        text_of(isolated(&python, &folder).args(["-c", program]))
    };
    let mut expected = Vec::new();
    let hint = "; install the package for this Python: pip install --force-reinstall payspec";
    let source = fs_err::read_to_string(package.join("_library.py"))?;
    let other = source.replace("VERSION = \"", "VERSION = \"9");
    fs_err::write(package.join("_library.py"), other)?;
    expected.push((message()?, ": install the package again"));
    fs_err::write(package.join("_library.py"), source)?;
    let mut bytes = fs_err::read(&library)?;
    fs_err::write(&library, "another file")?;
    expected.push((message()?, hint));
    // The same library for another processor: EM_RISCV in the header of ELF.
    bytes[18] = 243;
    fs_err::write(&library, bytes)?;
    expected.push((message()?, hint));
    fs_err::remove_file(&library)?;
    expected.push((message()?, hint));
    for (found, end) in &expected {
        if found.lines().count() != 1 || !found.trim_end().ends_with(end) {
            bail!("{found:?} does not end in {end:?}");
        }
    }
    Ok(TestCounts {
        passed: expected.len() as u64,
        failed: 0,
    })
}

/// Installs the sdist, which builds the native module.
pub(super) fn from_sources(packages: &Packages) -> Result<TestCounts> {
    let folder = packages.empty("python")?;
    text_of(isolated("python3", &folder).args(["-m", "venv", "environment"]))?;
    let python = folder.join("environment/bin/python");
    let mut pip = isolated(crate::setup::python(), &folder);
    pip.args(["-m", "pip", "--python"]).arg(&python).args([
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
    ]);
    pip.args(["--no-build-isolation", "--no-cache-dir"])
        .arg(packages.file(&format!("payspec-{VERSION}.tar.gz"), "")?);
    // The build tools of the environment, and cargo without its slow optimizations.
    let variables = ["PATH", "HOME", "CARGO_HOME", "RUSTUP_HOME"];
    pip.envs(
        variables
            .iter()
            .filter_map(|name| Some((name, std::env::var_os(name)?))),
    );
    pip.env("PYTHONPATH", site_packages()?)
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_NET_OFFLINE", "true");
    pip.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    text_of(&mut pip)?;
    program_of(
        &root().join("bindings/python/README.md"),
        "python",
        &folder.join("gateway.py"),
    )?;
    prints(
        isolated(&python, &folder).arg("gateway.py"),
        "201 False\n201 True\n",
    )
}

fn site_packages() -> Result<String> {
    let find =
        "import setuptools, pathlib; print(pathlib.Path(setuptools.__file__).parents[1], end='')";
    text_of(Command::new(crate::setup::python()).args(["-c", find]))
}
