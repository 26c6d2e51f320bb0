//! C programs against libpayspec: installed into a scratch prefix, compiled, run.

use crate::{cargo, root};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Once;

/// Strict on purpose: a header may not say a word under these.
pub const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// Which of the two libraries a program is linked with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Linkage {
    /// libpayspec.so.
    Shared,
    /// libpayspec.a.
    Static,
}

/// An installation below a folder of its own, as `cargo xtask install` makes it.
pub struct Prefix(pub PathBuf);

impl Prefix {
    /// Installs into the folder `name` below `scratch`, which is emptied first.
    pub fn new(scratch: &Path, name: &str) -> Prefix {
        let prefix = scratch.join(name);
        if prefix.exists() {
            fs::remove_dir_all(&prefix).unwrap_or_else(|error| panic!("{}: {error}", prefix.display()));
        }
        must(xtask().args(["install", "--prefix"]).arg(&prefix));
        Prefix(prefix)
    }

    /// Makes an installation of one shared library that cargo has built: links to it and to the headers.
    pub fn of_library(scratch: &Path, name: &str, library: &Path) -> Prefix {
        let prefix = scratch.join(name);
        let folder = prefix.join("lib");
        if prefix.exists() {
            fs::remove_dir_all(&prefix).unwrap_or_else(|error| panic!("{}: {error}", prefix.display()));
        }
        fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let soname = format!("libpayspec.so.{}", env!("CARGO_PKG_VERSION_MAJOR"));
        let names = [folder.join("libpayspec.so"), folder.join(soname)];
        for (from, to) in
            names.iter().map(|name| (library, name)).chain([(&*root().join("include"), &prefix.join("include"))])
        {
            symlink(from, to).unwrap_or_else(|error| panic!("{}: {error}", to.display()));
        }
        Prefix(prefix)
    }

    /// A file below it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// What a compiler needs to find the header.
    pub fn include(&self) -> String {
        format!("-I{}", self.file("include").display())
    }

    /// What it needs to link with the library, behind the sources.
    pub fn link(&self, linkage: Linkage) -> Vec<String> {
        let folder = self.file("lib").display().to_string();
        match linkage {
            Linkage::Shared => vec![format!("-L{folder}"), "-lpayspec".to_owned(), format!("-Wl,-rpath,{folder}")],
            Linkage::Static => {
                [&format!("{folder}/libpayspec.a"), "-lpthread", "-ldl", "-lm"].map(str::to_owned).into()
            }
        }
    }

    /// Compiles a program of `tests/c` with debug information, below the prefix.
    pub fn compile(&self, source: &str, linkage: Linkage) -> PathBuf {
        let program = self.file(&format!("{}-{linkage:?}", source.replace('.', "-")));
        let mut cc = Command::new(tool("gcc", "gcc"));
        cc.args(["-std=c11", "-O1", "-g", "-pthread"]).args(WARNINGS).arg(self.include());
        cc.arg(folder().join(source)).arg("-o").arg(&program).args(self.link(linkage));
        must(&mut cc);
        program
    }
}

/// The commands of this project: the program that runs the tests, or else the one that cargo builds.
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

/// Where the C programs are.
pub fn folder() -> PathBuf {
    root().join("tests/c")
}

/// A program of the machine. A test that needs one that is missing fails, and says what brings it.
pub fn tool(name: &str, package: &str) -> PathBuf {
    let found = std::env::var_os("PATH")
        .and_then(|path| std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file()));
    found.unwrap_or_else(|| panic!("{name} is missing, so this was not tested: apt-get install {package}"))
}

/// Runs a command that has to end well, and returns what it wrote to standard output.
pub fn must(command: &mut Command) -> String {
    let output = run(command);
    assert!(output.status.success(), "{}\n{}", shown(command), said(&output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs a command, however it ends.
pub fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{}: {error}", shown(command)))
}

/// All that a program wrote, and how it ended.
pub fn said(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    format!("{out}{err}{}", output.status)
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}

/// The static library with AddressSanitizer in it, and in the standard library's callers; what the C side needs beside
/// it is `-fsanitize=address`. The switch is an unstable one, which a stable compiler takes only when told so.
pub fn sanitized(scratch: &Path) -> PathBuf {
    static BUILT: Once = Once::new();
    let target = must(Command::new("rustc").args(["--print", "host-tuple"])).trim().to_owned();
    let folder = scratch.join("address");
    BUILT.call_once(|| {
        let mut build = cargo();
        build.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Zsanitizer=address");
        build.args([
            "rustc",
            "--quiet",
            "--locked",
            "--release",
            "--package",
            "payspec-ffi",
            "--crate-type",
            "staticlib",
        ]);
        must(build.args(["--target", &target, "--target-dir"]).arg(&folder));
    });
    folder.join(target).join("release/libpayspec.a")
}
