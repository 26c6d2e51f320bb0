//! The packages on every platform: with zig as compiler, and other processors under qemu.

use super::installation::{Packages, counts_of, isolated, prints, program_of, untar, unzip};
use super::native::{go_command, go_module, jar, php_package};
use crate::dist::archive::{copy_tracked, empty, write};
use crate::dist::platform::{PLATFORMS, Platform};
use crate::generate;
use crate::setup::zig;
use crate::support::process::target;
use crate::support::process::text_of;
use crate::support::test_counts::TestCounts;
use anyhow::{Context, Result, bail};
use fs_err as fs;
use payspec_support::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes a script that runs the C compiler of a platform, and returns its path. zig replaces its
/// output by renaming a file: as root, `-o /dev/null`, with which Go probes compilers, would
/// replace the device.
pub(super) fn compiler(platform: &Platform, folder: &Path) -> Result<PathBuf> {
    let version = match platform.glibc {
        "" => String::new(),
        version => format!(".{version}"),
    };
    let script = format!(
        "#!/bin/sh\ncount=$#\nwhile [ $count -gt 0 ]; do\n    word=$1\n    shift\n    [ \"$word\" = /dev/null ] && \
         word=\"${{TMPDIR:-/tmp}}/null-$$\"\n    set -- \"$@\" \"$word\"\n    count=$((count - 1))\ndone\n\
         exec \"{}\" cc -target {}{version} \"$@\"\n",
        zig()?.display(),
        platform.name
    );
    let path = folder.join(format!("cc-{}", platform.name));
    write(&path, &script)?;
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&path, executable)?;
    Ok(path)
}

/// Returns the words before a program of a platform: the emulator, if the processor is another one.
fn emulator(platform: &Platform) -> Result<String> {
    if platform.is_native() {
        return Ok(String::new());
    }
    Ok(format!(
        "qemu-{} -L {} ",
        platform.processor,
        sysroot(platform)?.display()
    ))
}

/// Compiles tests/c/vectors.c with the archive of each platform, and runs all vectors: with the
/// shared library, and for musl with the static one too, for which zig compiles its C library first.
pub(super) fn c(packages: &Packages) -> Result<TestCounts> {
    let mut counts = TestCounts::default();
    for platform in &PLATFORMS {
        let folder = packages.empty(platform.name)?;
        let archive = packages.file("payspec-", &format!("{}.tar.gz", platform.name))?;
        untar(&archive, &folder)?;
        let vectors = generate::text(&["flat-vectors"], &[])?;
        fs::write(folder.join("vectors.flat"), vectors)?;
        let (emulator, shared) = (
            emulator(platform)?,
            "-dynamic -Llib -lpayspec -Wl,-rpath,$PWD/lib",
        );
        let linker = match platform.is_musl() {
            true => format!(
                "{}/lib/ld-musl-{}.so.1 ",
                sysroot(platform)?.display(),
                platform.processor
            ),
            false => String::new(),
        };
        let mut kinds = vec![(shared, format!("{emulator}{linker}"))];
        if platform.is_musl() {
            kinds.push(("lib/libpayspec.a -lunwind -lpthread -static", emulator));
        }
        for (library, run) in kinds {
            let script = format!(
                "{} -std=c11 -O1 -Iinclude -I\"$0\" \"$0/vectors.c\" {library} -o vectors 2> log || (cat log; false)\n\
                 {run}./vectors vectors.flat",
                compiler(platform, &folder)?.display(),
            );
            let mut shell = isolated("sh", &folder);
            shell.args(["-ec", &script]).arg(root().join("tests/c"));
            counts.add(counts_of(
                shell.env("ZIG_GLOBAL_CACHE_DIR", target().join("dist-zig")),
            )?);
        }
    }
    Ok(counts)
}

/// Runs the tests of the module and all vectors on another processor, and with musl. A compilation
/// takes a minute, and `native` tests this platform.
pub(super) fn go(packages: &Packages) -> Result<TestCounts> {
    let mut counts = TestCounts::default();
    let (_, module) = go_module(packages)?;
    for platform in PLATFORMS
        .iter()
        .filter(|platform| ["aarch64-linux-gnu", "x86_64-linux-musl"].contains(&platform.name))
    {
        let tags = if platform.is_musl() {
            "-tags=musl"
        } else {
            "-tags="
        };
        let script = format!(
            "go test -c {tags} -o tests-{} . && {}./tests-{} -test.v",
            platform.name,
            emulator(platform)?,
            platform.name
        );
        let mut shell = go_command("sh", &module);
        shell
            .args(["-ec", &script])
            .env("CGO_ENABLED", "1")
            .env("GOARCH", platform.architecture);
        shell
            .env("CC", compiler(platform, &module)?)
            .env("CGO_LDFLAGS", "-lunwind");
        if platform.is_musl() {
            shell.env("CGO_LDFLAGS", "-lunwind -static");
        }
        shell.env("ZIG_GLOBAL_CACHE_DIR", target().join("dist-zig"));
        counts.add(counts_of(&mut shell)?);
    }
    Ok(counts)
}

/// Compiling the module without cgo, for a platform without a library, or for the other C library
/// ends with one sentence.
pub(super) fn go_misfits(packages: &Packages) -> Result<TestCounts> {
    let (_, module) = go_module(packages)?;
    let musl = PLATFORMS
        .iter()
        .find(|platform| platform.name == "x86_64-linux-musl")
        .context("no musl")?;
    let musl = compiler(musl, &module)?;
    let failure = |script: &str, compiler: &Path| -> Result<String> {
        let mut shell = go_command("sh", &module);
        shell.args([
            "-ec",
            &format!("if {script} > log 2>&1; then exit 1; else cat log; fi"),
        ]);
        text_of(
            shell
                .env("CC", compiler)
                .env("ZIG_GLOBAL_CACHE_DIR", target().join("dist-zig")),
        )
    };
    let gcc = Path::new("gcc");
    let without_cgo = failure("CGO_ENABLED=0 go build .", gcc)?;
    let files = text_of(
        go_command("go", &module)
            .env("GOARCH", "riscv64")
            .env("CGO_ENABLED", "1")
            .args(["list", "-f", "{{.CgoFiles}}", "."]),
    )?;
    let unsupported = failure("go tool cgo -objdir objects link_unsupported.go", gcc)?;
    let other = failure("go tool cgo -objdir objects link_glibc_amd64.go", &musl)?;
    let reversed = failure("go tool cgo -objdir objects link_musl_amd64.go", gcc)?;
    for (found, expected) in [
        (
            &without_cgo,
            "undefined: payspec_needs_cgo__set_CGO_ENABLED_1_and_install_a_C_compiler",
        ),
        (&files, "[link_unsupported.go payspec.go]"),
        (
            &unsupported,
            "payspec has no library for this platform: install libpayspec, and build with -tags payspec_system",
        ),
        (&other, "the C library is not glibc: build with -tags musl"),
        (
            &reversed,
            "the C library is glibc: build without -tags musl",
        ),
    ] {
        // The compiler adds lines with the place of the error, but no other error comes before.
        let first = found
            .lines()
            .find(|line| !line.starts_with('#'))
            .unwrap_or_default();
        if !first.contains(expected) {
            bail!("{expected:?} is not the first error of {found}");
        }
    }
    Ok(TestCounts {
        passed: 5,
        failed: 0,
    })
}

/// Unpacks the wheel for aarch64 beside a Python for it, and runs the program of the readme and all
/// vectors.
pub(super) fn python(packages: &Packages) -> Result<TestCounts> {
    let folder = packages.empty("python")?;
    let wheel = packages.file("payspec-", "manylinux_2_28_aarch64.whl")?;
    // The same as pip does with a wheel whose tags fit.
    unzip(&wheel, &folder.join("site-packages"))?;
    let window = (
        "[\"RUB\"]}",
        "[\"RUB\"], \"idempotency\": {\"window_ms\": 60000}}",
    );
    program_of(
        &root().join("bindings/python/README.md"),
        "python",
        &folder.join("gateway.py"),
    )?;
    lengthen(&folder.join("gateway.py"), window)?;
    copy_tracked(&root(), "bindings/python/tests", &folder.join("tests"))?;
    let python = || -> Result<Command> {
        let mut command = aarch64("usr/bin/python3", &folder)?;
        command
            .env("PYTHONHOME", sysroot(other()?)?.join("usr"))
            .env("PYTHONPATH", folder.join("site-packages"));
        Ok(command)
    };
    let mut counts = prints(python()?.arg("gateway.py"), "201 False\n201 True\n")?;
    counts.add(counts_of(python()?.args([
        "-c",
        "import sys; sys.path.insert(0, 'tests'); sys.argv = ['tests']; import \
        unittest, test_vectors; result = unittest.TextTestRunner(sys.stdout).run(unittest.defaultTestLoader.\
        loadTestsFromModule(test_vectors)); sys.exit(not result.wasSuccessful())",
    ]))?);
    Ok(counts)
}

/// Runs the program of the readme and all vectors with the package for Composer. The other tests
/// start PHP again, which the kernel cannot without the emulator.
pub(super) fn php(packages: &Packages) -> Result<TestCounts> {
    let (folder, package) = php_package(packages)?;
    lengthen(
        &folder.join("gateway.php"),
        (
            "['RUB']]",
            "['RUB'], 'idempotency' => ['window_ms' => 60000]]",
        ),
    )?;
    // The folder of the extensions has the name of PHP's interface, such as 20220829.
    let folders = fs::read_dir(sysroot(other()?)?.join("usr/lib/php"))?;
    let mut folders = folders.flatten().map(|entry| entry.path());
    let extensions = folders
        .find(|folder| folder.join("ffi.so").exists())
        .context("PHP for aarch64 has no FFI")?;
    let php = || -> Result<Command> {
        let mut command = aarch64("usr/bin/php.default", &folder)?;
        command
            .arg("-n")
            .arg("-d")
            .arg(format!("extension_dir={}", extensions.display()));
        command.args(["-d", "extension=ffi", "-d", "ffi.enable=1"]);
        Ok(command)
    };
    let mut counts = prints(php()?.arg("gateway.php"), "201 new\n201 replayed\n")?;
    counts.add(counts_of(php()?.arg(package.join("tests/vectors.php")))?);
    Ok(counts)
}

/// Runs the program of the readme and all vectors with the jar. The programs are compiled on this
/// processor.
pub(super) fn java(packages: &Packages) -> Result<TestCounts> {
    let (folder, sysroot) = (jar(packages)?, sysroot(other()?)?);
    program_of(
        &root().join("bindings/java/README.md"),
        "java",
        &folder.join("Gateway.java"),
    )?;
    let window = (
        r#"[\"RUB\"]}"#,
        r#"[\"RUB\"],\"idempotency\":{\"window_ms\":60000}}"#,
    );
    lengthen(&folder.join("Gateway.java"), window)?;
    copy_tracked(
        &root(),
        "bindings/java/src/test/java",
        &folder.join("tests"),
    )?;
    let compile = "javac -encoding UTF-8 --release 17 -cp payspec.jar -d classes Gateway.java tests/payspec/VectorsTest.java";
    text_of(isolated("sh", &folder).args(["-ec", compile]))?;
    let path = format!(
        "payspec.jar:classes:{}",
        sysroot.join("usr/share/java/jna.jar").display()
    );
    let java = |program: &str| -> Result<Command> {
        let mut command = aarch64("usr/lib/jvm/default-java/bin/java", &folder)?;
        command.arg(format!(
            "-Djna.boot.library.path={}",
            sysroot.join("usr/lib/aarch64-linux-gnu/jni").display()
        ));
        command
            .arg(format!("-Djava.io.tmpdir={}", folder.display()))
            .args(["-cp", &path, program]);
        Ok(command)
    };
    let mut counts = prints(&mut java("Gateway")?, "201 false\n201 true\n")?;
    counts.add(counts_of(&mut java("payspec.VectorsTest")?)?);
    Ok(counts)
}

/// Replaces the policy of a program by one with a longer window for repeated requests, which are
/// more than a second apart under the emulator.
fn lengthen(program: &Path, (policy, longer): (&str, &str)) -> Result<()> {
    let text = fs::read_to_string(program)?;
    if !text.contains(policy) {
        bail!("{} does not contain {policy}", program.display());
    }
    write(program, &text.replacen(policy, longer, 1))
}

/// The platform under the emulator.
fn other() -> Result<&'static Platform> {
    PLATFORMS
        .iter()
        .find(|platform| platform.name == "aarch64-linux-gnu")
        .context("no aarch64")
}

/// Returns the command that runs a program of the other processor.
fn aarch64(program: &str, folder: &Path) -> Result<Command> {
    let sysroot = sysroot(other()?)?;
    let program = sysroot.join(program);
    let mut command = isolated("qemu-aarch64", folder);
    let program = program.canonicalize()?;
    command.arg("-L").arg(&sysroot).arg(program);
    Ok(command)
}

/// Returns a folder with programs and libraries of Debian for a processor: musl, and for the other
/// processor glibc and the runtimes of languages. It is filled once, with apt but apart from the
/// packages of this machine.
fn sysroot(platform: &Platform) -> Result<PathBuf> {
    let packages = match platform.is_native() {
        true => "musl",
        false => "musl python3 php-cli default-jre-headless libjna-java libjna-jni",
    };
    let folder = target().join(format!("dist-{}", platform.processor));
    let root = folder.join("root");
    if fs::read_to_string(folder.join("complete")).is_ok_and(|complete| complete.trim() == packages)
    {
        return Ok(root);
    }
    empty(&folder)?;
    // An empty list of installed packages: apt finds all that these need. The last lines make
    // absolute links relative, which the kernel would follow to this machine's files.
    let script = r#"
        mkdir -p root state/lists/partial cache/archives/partial && touch state/status
        options="-qq -o APT::Architecture=$2 -o APT::Architectures=$2 -o APT::Sandbox::User=root
            -o Dir::State=$PWD/state -o Dir::State::status=$PWD/state/status -o Dir::Cache=$PWD/cache"
        apt-get $options update
        apt-get $options install --yes --download-only --no-install-recommends $1
        for package in cache/archives/*.deb; do dpkg-deb -x "$package" root; done
        rm -r cache state
        find root -type l -lname '/*' | while read -r link; do ln -sfn --relative "root$(readlink "$link")" "$link"; done
        echo "$1" > complete
    "#;
    text_of(
        Command::new("sh")
            .args(["-ec", script, "sh", packages, platform.architecture])
            .current_dir(&folder),
    )?;
    Ok(root)
}
