//! Runs the commands of an example with one version of the library.

use super::languages::{EXAMPLES, Example};
use crate::build::install;
use crate::support::process::text_of;
use anyhow::Result;
use fs_err as fs;
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
        let out = self.folder.join(&example.name);
        // If the folder cannot be created, the first command fails and reports it.
        let _ = fs::create_dir_all(&out);
        let folder = |name: &str| payspec_support::root().join(name).join(example.folder());
        Workspace {
            shell: self,
            source: folder("examples"),
            package: folder("bindings"),
            out,
        }
    }

    /// Returns the Debian packages of the tools that are missing for an example.
    pub(crate) fn missing<'e>(&self, example: &'e Example) -> Vec<&'e str> {
        let workspace = self.workspace(example);
        example
            .needs
            .iter()
            .filter(|(_, probe)| workspace.run(probe).is_err())
            .map(|(package, _)| package.as_str())
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
    /// Runs a shell command in the folder of the example, and returns its output.
    pub(crate) fn run(&self, command: &str) -> Result<String> {
        text_of(&mut self.command(command))
    }

    fn command(&self, script: &str) -> Command {
        let library = &self.shell.library;
        let prefix = library.prefix();
        // A path may contain spaces.
        let quoted = |path: String| format!("'{path}'");
        let script = script
            .replace("{responses}", &EXAMPLES.responses)
            .replace("{sanitized}", &EXAMPLES.sanitized)
            .replace("{out}", &quoted(self.out.display().to_string()))
            .replace("{prefix}", &quoted(prefix.clone()))
            .replace("{jna}", &quoted(jna()))
            .replace("{package}", &quoted(self.package.display().to_string()));
        let mut command = Command::new("sh");
        command
            .args(["-ec", &script])
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
