//! Runs C programs with libpayspec: installs the library into a temporary prefix, and compiles and
//! runs the programs.

use crate::abi::SONAME_SUFFIX;
use crate::{cargo, root};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Once;

/// The header must compile without a warning under these options.
pub const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// The library that a program is linked with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Linkage {
    /// libpayspec.so.
    Shared,
    /// libpayspec.a.
    Static,
}

/// An installation in its own folder, as created by `cargo xtask install`.
pub struct Prefix(pub PathBuf);

impl Prefix {
    /// Installs into the folder `name` below `scratch`, which is emptied first.
    pub fn new(scratch: &Path, name: &str) -> Prefix {
        let prefix = scratch.join(name);
        if prefix.exists() {
            fs::remove_dir_all(&prefix)
                .unwrap_or_else(|error| panic!("{}: {error}", prefix.display()));
        }
        run_checked(xtask().args(["install", "--prefix"]).arg(&prefix));
        Prefix(prefix)
    }

    /// Creates an installation of one shared library that cargo has built: links to it and to the
    /// headers.
    pub fn of_library(scratch: &Path, name: &str, library: &Path) -> Prefix {
        let prefix = scratch.join(name);
        let folder = prefix.join("lib");
        if prefix.exists() {
            fs::remove_dir_all(&prefix)
                .unwrap_or_else(|error| panic!("{}: {error}", prefix.display()));
        }
        fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let soname = format!("libpayspec.so.{SONAME_SUFFIX}");
        let names = [folder.join("libpayspec.so"), folder.join(soname)];
        for (from, to) in names
            .iter()
            .map(|name| (library, name))
            .chain([(&*root().join("include"), &prefix.join("include"))])
        {
            symlink(from, to).unwrap_or_else(|error| panic!("{}: {error}", to.display()));
        }
        Prefix(prefix)
    }

    /// Returns the path of a file below the prefix.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Returns the compiler argument to find the header.
    pub fn include(&self) -> String {
        format!("-I{}", self.file("include").display())
    }

    /// Returns the arguments to link with the library, which must follow the sources.
    pub fn link(&self, linkage: Linkage) -> Vec<String> {
        let folder = self.file("lib").display().to_string();
        match linkage {
            Linkage::Shared => vec![
                format!("-L{folder}"),
                "-lpayspec".to_owned(),
                format!("-Wl,-rpath,{folder}"),
            ],
            Linkage::Static => [
                &format!("{folder}/libpayspec.a"),
                "-lpthread",
                "-ldl",
                "-lm",
            ]
            .map(str::to_owned)
            .into(),
        }
    }

    /// Compiles a program of `tests/c` with debug information, below the prefix.
    pub fn compile(&self, source: &str, linkage: Linkage) -> PathBuf {
        let program = self.file(&format!("{}-{linkage:?}", source.replace('.', "-")));
        let mut cc = Command::new(tool("cc", "gcc"));
        cc.args(["-std=c11", "-O1", "-g", "-pthread"])
            .args(WARNINGS)
            .arg(self.include());
        cc.arg(folder().join(source))
            .arg("-o")
            .arg(&program)
            .args(self.link(linkage));
        run_checked(&mut cc);
        program
    }
}

/// Returns the project's command: the program that runs the tests, or the one that cargo builds.
pub fn xtask() -> Command {
    match std::env::var_os("PAYSPEC_XTASK") {
        Some(program) => Command::new(program),
        None => {
            let mut command = cargo();
            command.arg("xtask");
            command
        }
    }
}

/// Returns the folder of the C programs.
pub fn folder() -> PathBuf {
    root().join("tests/c")
}

/// Returns the path of an installed program. Panics with the name of its package if it is missing.
pub fn tool(name: &str, package: &str) -> PathBuf {
    let found = std::env::var_os("PATH").and_then(|path| {
        std::env::split_paths(&path)
            .map(|folder| folder.join(name))
            .find(|file| file.is_file())
    });
    found.unwrap_or_else(|| {
        panic!("{name} is missing, so this was not tested: apt-get install {package}")
    })
}

/// Runs a command that must succeed, and returns its standard output.
pub fn run_checked(command: &mut Command) -> String {
    let output = run(command);
    assert!(
        output.status.success(),
        "{}\n{}",
        shown(command),
        printed(&output)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs a command, and returns its output and exit status.
pub fn run(command: &mut Command) -> Output {
    command
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", shown(command)))
}

/// Returns the output of a program and its exit status as text.
pub fn printed(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    format!("{out}{err}{}", output.status)
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(OsStr::to_string_lossy)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Builds the static library with AddressSanitizer. C programs that use it are compiled with
/// `-fsanitize=address`. The option is unstable; the variable permits it on a stable compiler.
/// Optimizations across crates take most of the time of a build, and hide reads from the sanitizer.
pub fn sanitized(scratch: &Path) -> PathBuf {
    static BUILT: Once = Once::new();
    let target = run_checked(Command::new("rustc").args(["--print", "host-tuple"]))
        .trim()
        .to_owned();
    let folder = scratch.join("address");
    BUILT.call_once(|| {
        let mut build = cargo();
        build
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", "-Zsanitizer=address");
        build.args([
            "rustc",
            "--quiet",
            "--locked",
            "--profile=quick",
            "--package",
            "payspec-ffi",
            "--crate-type",
            "staticlib",
        ]);
        run_checked(
            build
                .args(["--target", &target, "--target-dir"])
                .arg(&folder),
        );
    });
    folder.join(target).join("quick/libpayspec.a")
}
