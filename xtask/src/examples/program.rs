//! Runs the commands of a host, with the installed library and no other in sight.

use super::cases::Request;
use super::languages::Host;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The library that the programs load.
pub(crate) enum Library {
    /// Below a prefix, as `cargo xtask install` writes it.
    Installed(PathBuf),
    /// A shared library that cargo has built. Only programs that load it at run time can use it.
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
            Library::Installed(prefix) => {
                prefix.join("lib").join(if cfg!(target_os = "macos") { "libpayspec.dylib" } else { "libpayspec.so" })
            }
            Library::Development(library) => library.clone(),
        }
    }

    fn declarations(&self) -> PathBuf {
        match self {
            Library::Installed(prefix) => prefix.join("include/payspec.ffi.h"),
            Library::Development(_) => payspec_tests::root().join("include/payspec.ffi.h"),
        }
    }
}

/// The library and the folder of what is built.
pub(crate) struct Shell {
    library: Library,
    folder: PathBuf,
}

/// What a program did.
pub(crate) struct Answer {
    pub(crate) code: Option<i32>,
    pub(crate) output: Vec<u8>,
    pub(crate) errors: String,
}

impl Shell {
    pub(crate) fn new(library: Library, folder: PathBuf) -> Shell {
        Shell { library, folder }
    }

    pub(crate) fn place(&self, host: &Host) -> Place<'_> {
        let out = self.folder.join(host.name);
        // Where it cannot be made, the first command says so.
        let _ = fs::create_dir_all(&out);
        Place { shell: self, source: payspec_tests::root().join("examples").join(host.folder), out }
    }
}

/// One host's folders.
pub(crate) struct Place<'s> {
    shell: &'s Shell,
    source: PathBuf,
    out: PathBuf,
}

impl Place<'_> {
    /// Runs a command to its end: all that it has printed, as an error where it fails.
    pub(crate) fn run(&self, command: &[&str]) -> Result<String, String> {
        let output = self.command(command).stdin(Stdio::null()).output();
        let output = output.map_err(|error| format!("{}: {error}", command.first().unwrap_or(&"")))?;
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        if output.status.success() { Ok(text) } else { Err(text) }
    }

    /// Runs the host's program on one request.
    pub(crate) fn program(&self, program: &[&str], request: &Request) -> Result<Answer, String> {
        let text = |error: std::io::Error| error.to_string();
        let files = self.out.join("files");
        fs::create_dir_all(&files).map_err(text)?;
        for (name, contents) in &request.files {
            let path = files.join(name);
            match contents {
                Some(contents) => fs::write(path, contents).map_err(text)?,
                None => drop(fs::remove_file(path)),
            }
        }
        let mut command = self.command(program);
        for argument in &request.arguments {
            command.arg(argument.replace("{files}", &files.display().to_string()));
        }
        command.envs(request.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(text)?;
        // A program that was called wrongly may end without reading.
        drop(child.stdin.take().map(|mut input| input.write_all(&request.body)));
        let output = child.wait_with_output().map_err(text)?;
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok(Answer { code: output.status.code(), output: output.stdout, errors })
    }

    fn command(&self, words: &[&str]) -> Command {
        let library = &self.shell.library;
        let prefix = library.prefix();
        let (out, jna) = (self.out.display().to_string(), jna());
        let fill = |word: &&str| word.replace("{out}", &out).replace("{prefix}", &prefix).replace("{jna}", &jna);
        let words: Vec<String> = words.iter().map(fill).collect();
        let (program, arguments) = words.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(&self.source)
            .env("PKG_CONFIG_PATH", format!("{prefix}/lib/pkgconfig"))
            .env("LD_LIBRARY_PATH", format!("{prefix}/lib"))
            .env("DYLD_LIBRARY_PATH", format!("{prefix}/lib"))
            .env("PAYSPEC_LIBRARY", library.shared())
            .env("PAYSPEC_DECLARATIONS", library.declarations())
            .env("PYTHONPATH", &self.source)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("GOCACHE", self.shell.folder.join("go-cache"))
            .env("GOFLAGS", "-mod=readonly")
            .env("LC_ALL", "C.UTF-8")
            // None of the codes that the programs end with themselves.
            .env("ASAN_OPTIONS", "exitcode=99")
            .env("UBSAN_OPTIONS", "exitcode=99")
            .env_remove("PAYSPEC_TOKEN")
            .env_remove("PAYSPEC_AUTHORIZATION");
        command
    }
}

/// The archive of JNA: the one that PAYSPEC_JNA names, or Debian's.
fn jna() -> String {
    std::env::var("PAYSPEC_JNA").unwrap_or_else(|_| "/usr/share/java/jna.jar".to_owned())
}
