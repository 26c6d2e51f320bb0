//! Runs the commands of an example with one version of the library.

use super::languages::{Example, Readme};
use crate::build::install::{self, VERSION};
use payspec_support::markdown;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

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
    /// Runs a command to its end. Returns its output, as an error if the command failed.
    pub(crate) fn run(&self, command: &[&str]) -> Result<String, String> {
        let output = self.command(command).stdin(Stdio::null()).output();
        let output =
            output.map_err(|error| format!("{}: {error}", command.first().unwrap_or(&"")))?;
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        if output.status.success() {
            Ok(text)
        } else {
            Err(text)
        }
    }

    /// Runs the program in the readme of the package, and checks its output.
    pub(crate) fn readme(&self, readme: &Readme) -> Result<(), String> {
        let path = self.package.join("README.md");
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let program = markdown::blocks(&text, readme.language).next();
        let folder = self.out.join("readme");
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let file = folder.join(readme.file);
        fs::write(&file, program.ok_or("the readme contains no program")?)
            .map_err(|error| error.to_string())?;
        let mut printed = String::new();
        for command in readme.run {
            let output = self
                .command(command)
                .current_dir(&folder)
                .env("GOFLAGS", "-mod=mod")
                .stdin(Stdio::null())
                .output();
            let output = output.map_err(|error| error.to_string())?;
            printed = String::from_utf8_lossy(&output.stdout).into_owned();
            if !output.status.success() {
                return Err(format!(
                    "{}: {}",
                    command.join(" "),
                    String::from_utf8_lossy(&output.stderr)
                ));
            }
        }
        if printed == readme.prints {
            Ok(())
        } else {
            Err(format!("it prints {printed:?}, not {:?}", readme.prints))
        }
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
