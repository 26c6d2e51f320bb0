//! Runs the commands of an example with one version of the library.

use super::languages::{Example, Readme};
use crate::build::install::{self, VERSION};
use crate::support::files::write;
use crate::support::process::text_of;
use anyhow::{Context, Result, ensure};
use fs_err as fs;
use payspec_support::markdown;
use std::path::PathBuf;
use std::process::Command;

/// The library that the programs load.
pub(crate) enum Library {
    /// Below a prefix, as installed by `cargo xtask install`.
    Installed(PathBuf),
    /// A shared library that cargo has built. It is only for programs that load it at run time.
    Development(PathBuf),
}

impl Library {
    fn prefix(&self) -> String {
        match self {
            Library::Installed(prefix) => prefix.display().to_string(),
            Library::Development(_) => String::new(),
        }
    }

    fn shared(&self) -> PathBuf {
        match self {
            Library::Installed(prefix) => install::shared_library(prefix),
            Library::Development(library) => library.clone(),
        }
    }

    fn declarations(&self) -> PathBuf {
        match self {
            Library::Installed(prefix) => prefix.join("include/payspec.ffi.h"),
            Library::Development(_) => payspec_support::root().join("include/payspec.ffi.h"),
        }
    }
}

/// The library and the folder for build output.
pub(crate) struct Shell {
    library: Library,
    folder: PathBuf,
}

impl Shell {
    pub(crate) fn new(library: Library, folder: PathBuf) -> Shell {
        Shell { library, folder }
    }

    pub(crate) fn workspace(&self, example: &Example) -> Workspace<'_> {
        let out = self.folder.join(example.name);
        // If the folder cannot be created, the first command fails and reports it.
        let _ = fs::create_dir_all(&out);
        let folder = |name: &str| payspec_support::root().join(name).join(example.folder);
        Workspace {
            shell: self,
            source: folder("examples"),
            package: folder("bindings"),
            out,
        }
    }

    /// Returns the Debian packages of the tools that are missing for an example.
    pub(crate) fn missing(&self, example: &Example) -> Vec<&'static str> {
        let workspace = self.workspace(example);
        example
            .needs
            .iter()
            .filter(|(probe, _)| workspace.run(probe).is_err())
            .map(|(_, package)| *package)
            .collect()
    }
}

/// The folders of an example.
pub(crate) struct Workspace<'s> {
    shell: &'s Shell,
    source: PathBuf,
    package: PathBuf,
    out: PathBuf,
}

impl Workspace<'_> {
    /// Runs a command in the folder of the example, and returns its output.
    pub(crate) fn run(&self, command: &[&str]) -> Result<String> {
        text_of(&mut self.command(command))
    }

    /// Runs the program in the readme of the package.
    pub(crate) fn readme(&self, readme: &Readme) -> Result<()> {
        let text = fs::read_to_string(self.package.join("README.md"))?;
        let program = markdown::blocks(&text, readme.language).next();
        let folder = self.out.join("readme");
        let program = program.context("the readme contains no program")?;
        write(&folder.join(readme.file), program)?;
        let mut printed = String::new();
        for command in readme.run {
            let mut command = self.command(command);
            printed = text_of(command.current_dir(&folder).env("GOFLAGS", "-mod=mod"))?;
        }
        let expected = readme.prints;
        ensure!(
            printed == expected,
            "it prints {printed:?}, not {expected:?}"
        );
        Ok(())
    }

    fn command(&self, words: &[&str]) -> Command {
        let library = &self.shell.library;
        let prefix = library.prefix();
        let (out, jna, package) = (
            self.out.display().to_string(),
            jna(),
            self.package.display().to_string(),
        );
        let fill = |word: &&str| {
            let word = word.replace("{out}", &out).replace("{prefix}", &prefix);
            word.replace("{jna}", &jna)
                .replace("{package}", &package)
                .replace("{version}", VERSION)
        };
        let words: Vec<String> = words.iter().map(fill).collect();
        let (program, arguments) = words
            .split_first()
            .map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(&self.source)
            .env("PKG_CONFIG_PATH", format!("{prefix}/lib/pkgconfig"))
            .env("LD_LIBRARY_PATH", format!("{prefix}/lib"))
            .env("DYLD_LIBRARY_PATH", format!("{prefix}/lib"))
            .env("PAYSPEC_LIBRARY", library.shared())
            .env("PAYSPEC_DECLARATIONS", library.declarations())
            .env("PYTHONPATH", &self.package)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("GOCACHE", self.shell.folder.join("go-cache"))
            .env("GOFLAGS", "-mod=readonly")
            .env("LC_ALL", "C.UTF-8")
            // Not one of the exit codes of the programs.
            .env("ASAN_OPTIONS", "exitcode=99")
            .env("UBSAN_OPTIONS", "exitcode=99")
            .env_remove("PAYSPEC_TOKEN")
            .env_remove("PAYSPEC_AUTHORIZATION");
        command
    }
}

/// Returns the archive of JNA: the file in `PAYSPEC_JNA`, or the one of Debian.
pub(crate) fn jna() -> String {
    std::env::var("PAYSPEC_JNA").unwrap_or_else(|_| "/usr/share/java/jna.jar".to_owned())
}
