//! The packages on every platform: with zig as compiler, and other processors under qemu.

use super::installation::{Packages, counts_of, isolated, prints, program_of};
use super::native::{go_command, go_module};
use crate::dist::output::text_of;
use crate::dist::platform::{PLATFORMS, Platform};
use crate::setup::zig;
use crate::support::process::target;
use crate::support::test_counts::TestCounts;
use payspec_tests::flat::flattened;
use payspec_tests::{root, vector};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes a script that runs the C compiler of a platform, and returns its path. zig replaces its output by renaming a file:
/// as root, `-o /dev/null`, with which Go probes compilers, would replace the device.
fn compiler(platform: &Platform, folder: &Path) -> Result<PathBuf, String> {
    let version = if platform.glibc.is_empty() { String::new() } else { format!(".{}", platform.glibc) };
    let script = format!(
        "#!/bin/sh\ncount=$#\nwhile [ $count -gt 0 ]; do\n    word=$1\n    shift\n    [ \"$word\" = /dev/null ] && \
         word=\"${{TMPDIR:-/tmp}}/null-$$\"\n    set -- \"$@\" \"$word\"\n    count=$((count - 1))\ndone\n\
         exec \"{}\" cc -target {}{version} \"$@\"\n",
        zig()?.display(),
        platform.name
    );
    let path = folder.join(format!("cc-{}", platform.name));
    crate::dist::archive::write(&path, &script)?;
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&path, executable).map_err(|error| error.to_string())?;
    Ok(path)
}

/// Returns the words before a program of a platform: the emulator, if the processor is another one.
fn emulator(platform: &Platform, sysroot: &Path) -> String {
    if platform.processor == std::env::consts::ARCH {
        return String::new();
    }
    format!("qemu-{} -L {} ", platform.processor, sysroot.display())
}

/// Compiles tests/c/vectors.c with the archive of each platform, and runs all vectors: with the shared library for glibc,
/// with the static one for musl, whose loader this machine does not have.
pub(super) fn c(packages: &Packages) -> Result<TestCounts, String> {
    let mut counts = TestCounts::default();
    for platform in &PLATFORMS {
        let folder = packages.empty(platform.name)?;
        let archive = packages.file("payspec-", &format!("{}.tar.gz", platform.name))?;
        text_of(Command::new("tar").arg("xzf").arg(archive).args(["--strip-components=1", "-C"]).arg(&folder))?;
        std::fs::write(folder.join("vectors.flat"), flattened(&vector::load()?)).map_err(|error| error.to_string())?;
        let library = match platform.libc {
            "musl" => "lib/libpayspec.a -lunwind -lpthread -static",
            _ => "-Llib -lpayspec -Wl,-rpath,$PWD/lib",
        };
        let script = format!(
            "{} -std=c11 -O1 -Iinclude -I{} {}/vectors.c {library} -o vectors 2> log || (cat log; false)\n\
             {}./vectors vectors.flat",
            compiler(platform, &folder)?.display(),
            root().join("tests/c").display(),
            root().join("tests/c").display(),
            emulator(platform, &sysroot()?)
        );
        let mut shell = isolated("sh", &folder);
        shell.args(["-ec", &script]).env("ZIG_GLOBAL_CACHE_DIR", target().join("dist-zig"));
        counts.add(counts_of(&mut shell)?);
    }
    Ok(counts)
}

/// Runs the tests of the module and all vectors on another processor, and with musl. A compilation takes a minute, and `native`
/// tests this platform.
pub(super) fn go(packages: &Packages) -> Result<TestCounts, String> {
    let mut counts = TestCounts::default();
    let (_, module) = go_module(packages)?;
    for platform in
        PLATFORMS.iter().filter(|platform| ["aarch64-linux-gnu", "x86_64-linux-musl"].contains(&platform.name))
    {
        let tags = if platform.libc == "musl" { "-tags=musl" } else { "-tags=" };
        let script = format!(
            "go test -c {tags} -o tests-{} . && {}./tests-{} -test.v",
            platform.name,
            emulator(platform, &sysroot()?),
            platform.name
        );
        let mut shell = go_command("sh", &module);
        shell.args(["-ec", &script]).env("CGO_ENABLED", "1").env("GOARCH", platform.architecture);
        shell.env("CC", compiler(platform, &module)?).env("CGO_LDFLAGS", "-lunwind");
        if platform.libc == "musl" {
            shell.env("CGO_LDFLAGS", "-lunwind -static");
        }
        shell.env("ZIG_GLOBAL_CACHE_DIR", target().join("dist-zig"));
        counts.add(counts_of(&mut shell)?);
    }
    Ok(counts)
}

/// Unpacks the wheel for aarch64 beside a Python for it, and runs the program of the readme and all vectors.
pub(super) fn python(packages: &Packages) -> Result<TestCounts, String> {
    let (folder, sysroot) = (packages.empty("python")?, sysroot()?);
    let wheel = packages.file("payspec-", "manylinux_2_28_aarch64.whl")?;
    // The same as pip does with a wheel whose tags fit.
    text_of(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(wheel).arg(folder.join("site-packages")))?;
    program_of(&root().join("bindings/python/README.md"), "python", &folder.join("gateway.py"))?;
    crate::dist::archive::copy_tracked(&root(), "bindings/python/tests", &folder.join("tests"))?;
    let python = || {
        let mut command = isolated("qemu-aarch64", &folder);
        command.arg("-L").arg(&sysroot).arg(sysroot.join("usr/bin/python3.11"));
        command.env("PYTHONHOME", sysroot.join("usr")).env("PYTHONPATH", folder.join("site-packages"));
        command
    };
    let mut counts = prints(python().arg("gateway.py"), "201 False\n201 True\n")?;
    counts.add(counts_of(python().args([
        "-c",
        "import sys; sys.path.insert(0, 'tests'); sys.argv = ['tests']; import \
        unittest, test_vectors; result = unittest.TextTestRunner(sys.stdout).run(unittest.defaultTestLoader.\
        loadTestsFromModule(test_vectors)); sys.exit(not result.wasSuccessful())",
    ]))?);
    Ok(counts)
}

/// Returns a folder with the C library and Python of Debian for aarch64. It is filled once, with apt but apart from the
/// packages of this machine.
fn sysroot() -> Result<PathBuf, String> {
    let folder = target().join("dist-aarch64");
    let root = folder.join("root");
    if folder.join("complete").exists() {
        return Ok(root);
    }
    crate::dist::archive::empty(&folder)?;
    let script = r#"
        mkdir -p root state/lists/partial cache/archives/partial && touch state/status
        options="-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root
            -o Dir::State=$PWD/state -o Dir::State::status=$PWD/state/status -o Dir::Cache=$PWD/cache"
        apt-get $options update
        apt-get $options download libc6 libgcc-s1 python3.11-minimal libpython3.11-minimal libpython3.11-stdlib \
            libexpat1 zlib1g libffi8 libbz2-1.0 liblzma5 libuuid1
        for package in *.deb; do dpkg-deb -x $package root; done
        touch complete
    "#;
    text_of(Command::new("sh").args(["-ec", script]).current_dir(&folder))?;
    Ok(root)
}
