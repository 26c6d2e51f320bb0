//! The packages of the other languages on this processor.

use super::installation::{Packages, counts_of, isolated, prints, program_of, untar, unzip};
use crate::build::install::VERSION;
use crate::dist::archive::{self, copy, copy_tracked, write};
use crate::support::process::text_of;
use crate::support::test_counts::TestCounts;
use anyhow::{Context, Result, bail, ensure};
use payspec_support::abi::SONAME_SUFFIX;
use payspec_support::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles the program of the readme with the archive: with pkg-config, with CMake, shared and
/// static.
pub(super) fn c(packages: &Packages) -> Result<TestCounts> {
    let folder = packages.empty("a place with spaces")?;
    let archive = packages.file("payspec-", "x86_64-linux-gnu.tar.gz")?;
    untar(&archive, &folder)?;
    program_of(
        &folder.join("README.md"),
        "cpp",
        &folder.join("gateway.cpp"),
    )?;
    let shell = |script: &str| {
        let mut command = isolated("sh", &folder);
        command
            .args(["-ec", script])
            .env("PKG_CONFIG_PATH", folder.join("lib/pkgconfig"));
        command
    };
    let expected = "201 new\n201 replayed\n";
    // pkg-config escapes the spaces.
    let shared = "eval \"c++ -std=c++17 gateway.cpp $(pkg-config --cflags --libs payspec) -o gateway\"\n\
                  LD_LIBRARY_PATH=$PWD/lib ./gateway";
    let mut counts = prints(&mut shell(shared), expected)?;
    let linked = "c++ -std=c++17 -Iinclude gateway.cpp lib/libpayspec.a -lpthread -ldl -lm -o static && ./static";
    counts.add(prints(&mut shell(linked), expected)?);
    counts.add(with_cmake(&folder, &folder)?);
    Ok(counts)
}

/// Compiles `gateway.cpp` in a folder with both targets of the files for CMake below a prefix.
pub(super) fn with_cmake(folder: &Path, prefix: &Path) -> Result<TestCounts> {
    let project = "cmake_minimum_required(VERSION 3.16)\nproject(gateway LANGUAGES CXX)\nfind_package(payspec @VERSION@ REQUIRED)\n\
                   foreach(kind payspec payspec_static)\n  add_executable(with_${kind} gateway.cpp)\n  \
                   target_compile_features(with_${kind} PRIVATE cxx_std_17)\n  target_link_libraries(with_${kind} PRIVATE \
                   payspec::${kind})\nendforeach()\n";
    write(
        &folder.join("CMakeLists.txt"),
        &project.replace("@VERSION@", VERSION),
    )?;
    let build =
        "cmake -S . -B build -DCMAKE_PREFIX_PATH=\"$0\" > log && cmake --build build >> log";
    text_of(isolated("sh", folder).args(["-ec", build]).arg(prefix))?;
    let mut counts = TestCounts::default();
    for kind in ["payspec", "payspec_static"] {
        counts.add(prints(
            &mut isolated(folder.join(format!("build/with_{kind}")), folder),
            "201 new\n201 replayed\n",
        )?);
    }
    Ok(counts)
}

/// Uses the module from the program of the readme, and runs its tests with the race detector.
pub(super) fn go(packages: &Packages) -> Result<TestCounts> {
    let (folder, module) = go_module(packages)?;
    let program = folder.join("gateway");
    program_of(&module.join("README.md"), "go", &program.join("main.go"))?;
    let mut counts = prints(
        go_command("sh", &program).args(["-ec", &go_run()]),
        "201 false\n201 true\n",
    )?;
    text_of(go_command("go", &module).args(["vet", "./..."]))?;
    counts.add(counts_of(
        go_command("go", &module).args(["test", "-race", "-count=1", "-v", "./..."]),
    )?);
    Ok(counts)
}

/// Returns the script that runs a program beside the module.
pub(super) fn go_run() -> String {
    format!(
        "go mod init gateway 2> log && go mod edit -require=payspec.example/payspec@v{VERSION} \
         -replace=payspec.example/payspec=../payspec && go run ."
    )
}

/// Unpacks the module to `payspec` in a new folder.
pub(super) fn go_module(packages: &Packages) -> Result<(PathBuf, PathBuf)> {
    let folder = packages.empty("go")?;
    unzip(&packages.file("payspec-go-", ".zip")?, &folder)?;
    let module = folder.join("payspec");
    let inside = fs_err::read_dir(folder.join("payspec.example"))?;
    let inside = inside
        .flatten()
        .next()
        .context("the module is empty")?
        .path();
    fs_err::rename(inside, &module)?;
    fs_err::create_dir_all(folder.join("gateway"))?;
    Ok((folder, module))
}

/// Returns a command that finds Go, without its proxy.
pub(super) fn go_command(program: &str, folder: &Path) -> Command {
    let mut command = isolated(program, folder);
    command
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("GOFLAGS", "-mod=mod")
        .env("GOPROXY", "off");
    command
        .env(
            "GOCACHE",
            crate::support::process::target().join("dist-go-cache"),
        )
        .env("GOTOOLCHAIN", "local");
    command
}

/// Installs the package with Composer, without a network, beside the program of the readme.
pub(super) fn php_package(packages: &Packages) -> Result<(PathBuf, PathBuf)> {
    let folder = packages.empty("php")?;
    unzip(
        &packages.file("payspec-payspec-", ".zip")?,
        &folder.join("unpacked"),
    )?;
    let composer = |arguments: &[&str]| {
        let mut composer = isolated("composer", &folder);
        text_of(
            composer
                .arg("--no-interaction")
                .args(arguments)
                .env("COMPOSER_ALLOW_SUPERUSER", "1"),
        )
    };
    let repository = r#"{"type":"path","url":"unpacked","options":{"symlink":false}}"#;
    write(
        &folder.join("composer.json"),
        &format!("{{\"repositories\":[{repository},{{\"packagist.org\":false}}]}}"),
    )?;
    composer(&["require", "payspec/payspec"])?;
    let package = folder.join("vendor/payspec/payspec");
    program_of(
        &package.join("README.md"),
        "php",
        &folder.join("gateway.php"),
    )?;
    Ok((folder, package))
}

/// Runs the program of the readme and the tests of the package for Composer.
pub(super) fn php(packages: &Packages) -> Result<TestCounts> {
    let (folder, package) = php_package(packages)?;
    let mut counts = prints(
        isolated("php", &folder).arg("gateway.php"),
        "201 new\n201 replayed\n",
    )?;
    counts.add(counts_of(
        isolated("php", &folder).arg(package.join("tests/run.php")),
    )?);
    let failure = |option: &[&str], prelude: &str| {
        let program = format!(
            "namespace Payspec {{ {prelude} }} namespace {{ require 'vendor/autoload.php'; try {{ new Payspec\\Engine(); }} catch \
             (Payspec\\PayspecException $e) {{ echo $e->getMessage(); }} }}"
        );
        text_of(isolated("php", &folder).args(option).args(["-r", &program]))
    };
    let without_ffi = failure(&["-n"], "")?;
    // The package calls a function of its namespace, if there is one, instead of PHP's.
    let unsupported = failure(&[], "function php_uname() { return 'riscv64'; }")?;
    let macos = "const PHP_OS_FAMILY = 'Darwin'; function php_uname() { return 'arm64'; }";
    let macos = failure(&[], macos)?;
    fs_err::write(
        package.join("native/x86_64-glibc/libpayspec.so"),
        "another file",
    )?;
    let replaced = failure(&[], "")?;
    let hint = "; set PAYSPEC_LIBRARY to the path of libpayspec.so, such as $HOME/payspec/lib/libpayspec.so. Searched: ";
    for (found, expected) in [
        (
            without_ffi,
            [
                "PHP has no FFI: install the extension and set extension=ffi",
                "",
            ],
        ),
        (
            unsupported,
            [hint, "/native/riscv64-glibc/libpayspec.so, libpayspec.so"],
        ),
        (
            macos,
            [
                "; set PAYSPEC_LIBRARY to the path of libpayspec.dylib, such as ",
                "/native/aarch64-macos/libpayspec.dylib, libpayspec.dylib",
            ],
        ),
        (replaced, [hint, "native/x86_64-glibc/libpayspec.so"]),
    ] {
        let is_sentence =
            found.starts_with("libpayspec cannot be loaded: ") && !found.contains('\n');
        if !is_sentence || !expected.iter().all(|part| found.contains(part)) {
            bail!("{found:?} does not contain {expected:?}");
        }
        counts.add(TestCounts::of_check(true));
    }
    Ok(counts)
}

/// Copies the jar to a new folder.
pub(super) fn jar(packages: &Packages) -> Result<PathBuf> {
    let folder = packages.empty("java")?;
    copy(
        &packages.file(&format!("payspec-{VERSION}.jar"), "")?,
        &folder.join("payspec.jar"),
    )?;
    Ok(folder)
}

/// Uses the jar from the program of the readme, as a module, and with all vectors.
pub(super) fn java(packages: &Packages) -> Result<TestCounts> {
    let folder = jar(packages)?;
    program_of(
        &root().join("bindings/java/README.md"),
        "java",
        &folder.join("Gateway.java"),
    )?;
    let jna = crate::examples::jna();
    let path = format!("payspec.jar:{jna}");
    let expected = "201 false\n201 true\n";
    let java = || {
        let mut command = isolated("java", &folder);
        command.arg(format!("-Djava.io.tmpdir={}", folder.display()));
        command
    };
    let mut counts = prints(java().args(["-cp", &path, "Gateway.java"]), expected)?;
    let modules = [
        "--module-path",
        &path,
        "--add-modules",
        "payspec",
        "Gateway.java",
    ];
    counts.add(prints(java().args(modules), expected)?);
    copy_tracked(
        &root(),
        "bindings/java/src/test/java",
        &folder.join("tests"),
    )?;
    let compile = format!("javac -encoding UTF-8 -cp {path} -d classes tests/payspec/*.java");
    text_of(isolated("sh", &folder).args(["-ec", &compile]))?;
    for tests in ["payspec.VectorsTest", "payspec.EngineTest"] {
        counts.add(counts_of(java().args([
            "-cp",
            &format!("{path}:classes"),
            tests,
        ]))?);
    }
    // No file remains of the unpacked library.
    if fs_err::read_dir(&folder)?
        .flatten()
        .any(|entry| entry.file_name().to_string_lossy().starts_with("payspec-"))
    {
        bail!("an unpacked library remains");
    }
    // The first line of the cause, among lines of the calls.
    let without_jna = "java -cp payspec.jar Gateway.java 2>&1 | sed -n 's/^Caused by: payspec.PayspecException: //p'";
    let without_jna = text_of(isolated("sh", &folder).args(["-ec", without_jna]))?;
    let failure = |option: &str| {
        text_of(java().args([
            option,
            "-cp",
            &format!("{path}:classes"),
            "payspec.EngineTest",
            "load",
        ]))
    };
    let unsupported = failure("-Dos.arch=riscv64")?;
    let windows = failure("-Dos.name=Windows 11")?;
    let of_windows = match packages.extent.other_systems().is_empty() {
        true => "native/win32-x86-64/payspec.dll in the jar; set the property payspec.library or ",
        false => "native/win32-x86-64/payspec.dll in the jar, unpacked to ",
    };
    let source = "unsigned payspec_abi_version(void) { return 999; }\nconst char *payspec_version(void) { return \"9.9.9\"; }\n";
    write(&folder.join("other.c"), source)?;
    text_of(isolated("cc", &folder).args(["-shared", "-fPIC", "-o", "other.so", "other.c"]))?;
    let other = failure(&format!(
        "-Dpayspec.library={}",
        folder.join("other.so").display()
    ))?;
    let tamper = "import sys, zipfile, shutil\nshutil.copy('payspec.jar', 'old.jar')\nwith zipfile.ZipFile('old.jar') as old, \
                  zipfile.ZipFile('payspec.jar', 'w') as new:\n    for name in old.namelist():\n        data = old.read(name)\n        \
                  new.writestr(name, data + b' ' if name.endswith('.so') else data)\n";
    text_of(isolated("python3", &folder).args(["-c", tamper]))?;
    let replaced = failure("-Dempty")?;
    for (found, expected) in [
        (
            without_jna,
            "JNA is not on the class path: add net.java.dev.jna:jna, version 5",
        ),
        (
            unsupported,
            "native/linux-riscv64-glibc/libpayspec.so in the jar; set the property payspec.library or ",
        ),
        (windows, of_windows),
        (
            other,
            "other.so has the version 9.9.9 with the ABI 999, this package needs ",
        ),
        (
            replaced,
            "libpayspec cannot be loaded: native/linux-x86_64-glibc/libpayspec.so of the jar was replaced",
        ),
    ] {
        let is_sentence = found.starts_with("libpayspec cannot be loaded: ")
            && found.trim_end().lines().count() == 1;
        if !is_sentence || !found.contains(expected) {
            bail!("{found:?} does not contain {expected:?}");
        }
        counts.add(TestCounts::of_check(true));
    }
    Ok(counts)
}

/// Unpacks the Debian packages, compiles a program with them, and checks them with lintian.
pub(super) fn deb(packages: &Packages) -> Result<TestCounts> {
    let folder = packages.empty("deb")?;
    let runtime = format!("libpayspec{SONAME_SUFFIX}_");
    for name in [&runtime, "libpayspec-dev_"] {
        let package = packages.file(name, "_amd64.deb")?;
        text_of(Command::new("dpkg-deb").arg("-x").arg(package).arg(&folder))?;
    }
    let readme = root().join("bindings/cpp/README.md");
    program_of(&readme, "cpp", &folder.join("gateway.cpp"))?;
    let script = "c++ -std=c++17 gateway.cpp $(pkg-config --cflags --libs payspec) -o gateway && \
                  LD_LIBRARY_PATH=usr/lib/x86_64-linux-gnu ./gateway";
    let mut command = isolated("sh", &folder);
    command
        .args(["-ec", script])
        .env("PKG_CONFIG_SYSROOT_DIR", &folder)
        .env(
            "PKG_CONFIG_PATH",
            folder.join("usr/lib/x86_64-linux-gnu/pkgconfig"),
        );
    let mut counts = prints(&mut command, "201 new\n201 replayed\n")?;
    for package in archive::files(&packages.dist)? {
        if package.extension().is_some_and(|ending| ending == "deb") {
            let mut lintian = Command::new("lintian");
            lintian.args(["--allow-root", "--fail-on", "error,warning"]);
            text_of(lintian.arg(package))?;
            counts.add(TestCounts::of_check(true));
        }
    }
    let linux = packages.extent.linux().into_iter();
    let libraries = linux.filter(|platform| !platform.is_musl());
    let expected = 1 + 2 * libraries.count() + packages.extent.with_programs().len();
    ensure!(counts.passed == expected as u64, "a package is missing");
    Ok(counts)
}

/// Unpacks the archive and the Debian package of the command line: the programs are equal and run,
/// and have manual pages and completions.
pub(super) fn cli(packages: &Packages) -> Result<TestCounts> {
    let folder = packages.empty("cli")?;
    let archive = packages.file("payspec-cli-", "-x86_64-linux-musl.tar.gz")?;
    untar(&archive, &folder)?;
    let debian = packages.file("payspec_", "_amd64.deb")?;
    let mut unpack = Command::new("dpkg-deb");
    text_of(unpack.arg("-x").arg(debian).arg(folder.join("debian")))?;
    let script = r#"
        cmp bin/payspec debian/usr/bin/payspec
        echo '{"payment_type":"pay_in","mode":"P2P","cur":"RUB","amount":"1.234"}' > order.json
        bin/payspec validate --format json order.json > report.json && exit 1
        grep -q amount_scale report.json
        test -s share/man/man1/payspec-validate.1
        test -s debian/usr/share/man/man1/payspec-validate.1.gz
        for file in bash-completion/completions/payspec zsh/vendor-completions/_payspec fish/vendor_completions.d/payspec.fish; do
            cmp share/$file debian/usr/share/$file
        done
        bash -n share/bash-completion/completions/payspec
    "#;
    text_of(isolated("sh", &folder).args(["-ec", script]))?;
    Ok(TestCounts::of_check(true))
}
