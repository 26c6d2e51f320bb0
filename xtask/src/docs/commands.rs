//! Runs the commands that README.md and the written pages of the book show, as a reader does: in
//! order, in a new folder for each page, with the files that the page names to save.

use super::common::{markdown_files, program, sources, write};
use crate::build::install;
use crate::support::{checks, process};
use anyhow::{Context, Result, anyhow, bail};
use fs_err as fs;
use payspec_support::{markdown, root};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The commands that are not run as they are: `xtask/commands.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exceptions {
    ports: Vec<String>,
    reports: Vec<String>,
    in_steps: Texts,
    servers: BTreeMap<String, [String; 2]>,
    prints: Texts,
    before: Texts,
    files: Texts,
}

type Texts = BTreeMap<String, String>;

impl Exceptions {
    fn read() -> Result<Exceptions> {
        toml::from_str(include_str!("../../commands.toml")).context("xtask/commands.toml")
    }
}

/// Runs the commands of all pages.
pub(super) fn check() -> Result<()> {
    let exceptions = Exceptions::read()?;
    let in_steps = exceptions.in_steps.clone();
    // Outside of the repository: cargo would take a package of a reader for a member of the
    // workspace.
    let folder = std::env::temp_dir().join(format!("payspec-commands-{}", std::process::id()));
    let reader = Reader::new(&folder, exceptions)?;
    let below_root = |path: PathBuf| {
        path.strip_prefix(root())
            .unwrap_or(&path)
            .display()
            .to_string()
    };
    let written = markdown_files(&sources().join("src"))?
        .into_iter()
        .map(below_root);
    let pages = ["README.md".to_owned()].into_iter().chain(written);
    let (mut ran, mut problems, mut elsewhere) = (0, Vec::new(), Vec::new());
    for page in pages {
        let text = fs::read_to_string(root().join(&page))?;
        let (own, others): (Vec<String>, Vec<String>) = commands(&text)
            .into_iter()
            .partition(|command| !in_steps.contains_key(command));
        elsewhere.extend(others);
        if own.is_empty() {
            continue;
        }
        ran += own.len();
        if let Err(error) = reader.run(&page, &text, &own) {
            problems.push(format!("{page}: {error}"));
        }
    }
    let unused = in_steps
        .iter()
        .filter(|(command, _)| !elsewhere.contains(command));
    problems.extend(
        unused.map(|(command, step)| format!("no page has `{command}`, which step {step} runs")),
    );
    if ran < 20 {
        problems.push(format!("only {ran} commands were found"));
    }
    checks::none(problems)?;
    Ok(fs::remove_dir_all(&folder)?)
}

/// Returns the commands in the blocks of a page, without comments. A backslash continues a line.
fn commands(page: &str) -> Vec<String> {
    let lines = markdown::blocks(page, "sh").flat_map(|block| {
        block
            .replace("\\\n", " ")
            .lines()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    });
    lines
        .map(|line| {
            line.split(" # ")
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned()
        })
        .filter(|line| !line.is_empty())
        .collect()
}

/// Returns the files that a page names to save.
fn saved(page: &Path, text: &str) -> Result<Vec<(String, String)>> {
    markdown::saved(text)
        .map(|(name, block)| Ok((name.to_owned(), included(page, block)? + "\n")))
        .collect()
}

/// Returns the file that a block includes, or the block.
fn included(page: &Path, block: &str) -> Result<String> {
    let Some(path) = block
        .strip_prefix("{{#include ")
        .and_then(|rest| rest.strip_suffix("}}"))
    else {
        return Ok(block.to_owned());
    };
    let file = match path.strip_prefix('/') {
        Some(path) => root().join(path),
        None => page.parent().unwrap_or(page).join(path),
    };
    Ok(fs::read_to_string(&file)?)
}

/// A reader with an installed library and programs.
struct Reader {
    folder: PathBuf,
    /// With `payspec/lib`, the installed C library.
    home: PathBuf,
    /// The programs before those of the system.
    programs: std::ffi::OsString,
    /// The ports of the pages, and free ones.
    ports: Vec<(String, String)>,
    exceptions: Exceptions,
}

impl Reader {
    fn new(folder: &Path, exceptions: Exceptions) -> Result<Self> {
        let home = folder.join("home");
        install::into(&home.join("payspec"))?;
        let gateway = process::executable(&process::build(&["--bin", "gateway"], &[])?, "gateway")?;
        let folders =
            [program()?, gateway].map(|program| program.parent().unwrap_or(folder).to_owned());
        let old = std::env::var_os("PATH").unwrap_or_default();
        let programs = std::env::join_paths(folders.into_iter().chain(std::env::split_paths(&old)));
        // All are bound at once, so that they differ.
        let ports = exceptions.ports.clone();
        let bound: Result<Vec<TcpListener>, _> = ports
            .iter()
            .map(|_| TcpListener::bind("127.0.0.1:0"))
            .collect();
        let bound = bound?;
        let free = bound.iter().map(|listener| {
            listener
                .local_addr()
                .map(|address| address.port().to_string())
        });
        let free: Vec<String> = free.collect::<Result<_, _>>()?;
        Ok(Self {
            folder: folder.to_owned(),
            home,
            programs: programs?,
            ports: ports.into_iter().zip(free).collect(),
            exceptions,
        })
    }

    fn run(&self, page: &str, text: &str, commands: &[String]) -> Result<()> {
        let work = self.folder.join(page.replace(['/', '.'], "-"));
        // The clone, as `path/to/payspec` and as the current folder.
        fs::create_dir_all(work.join("path/to"))?;
        symlink(root(), work.join("path/to/payspec"))?;
        for name in ["bindings", "examples"] {
            symlink(root().join(name), work.join(name))?;
        }
        let files = self.exceptions.files.clone().into_iter();
        for (name, text) in files.chain(saved(&root().join(page), text)?) {
            // The links to the clone, whose files are not to be changed.
            if ["path", "bindings", "examples"]
                .iter()
                .any(|folder| Path::new(&name).starts_with(folder))
            {
                bail!("{name} is a file of the repository, and not one to save");
            }
            let path = work.join(name);
            write(&path, &self.with_free_ports(&text))?;
        }
        let before = self.exceptions.before.get(page);
        let mut script = before.map_or_else(String::new, |line| format!("{line}\n"));
        for command in commands {
            script.push_str(&self.line(command));
        }
        let script = format!("trap 'kill $servers 2> /dev/null' EXIT\nset -u\nservers=\n{script}");
        let file = work.join("commands.sh");
        write(&file, &script)?;
        let mut bash = Command::new("bash");
        bash.arg(&file)
            .current_dir(&work)
            .env("PATH", &self.programs)
            .envs(self.environment());
        let output = bash.output().context("bash")?;
        match output.status.success() {
            true => Ok(()),
            false => Err(anyhow!(
                "{}{}(repeat: cd {} && bash commands.sh)",
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr),
                work.display()
            )),
        }
    }

    /// Returns the lines of the script for a command: its status is checked.
    fn line(&self, command: &str) -> String {
        let shown = command.replace('\'', "'\\''");
        let mut servers = self.exceptions.servers.iter();
        if let Some((_, [port, option])) = servers.find(|(server, _)| command.starts_with(*server))
        {
            return self.with_free_ports(&format!(
                "{command} {option} > server.log 2>&1 &\nservers=\"$servers $!\"\nfor try in $(seq 100); do\n    \
                 curl --silent --output /dev/null http://127.0.0.1:{port}/healthz && break\n    sleep 0.1\ndone\nkill -0 $! || \
                 {{ cat server.log; exit 1; }}\n"
            ));
        }
        let command = self.with_free_ports(command);
        let expected = u8::from(
            self.exceptions
                .reports
                .iter()
                .any(|report| command.starts_with(report) && !command.contains("--policy")),
        );
        // A log that is followed has no end.
        let command = command.replace("tail -f ", "tail -n +1 ");
        let mut prints = self.exceptions.prints.iter();
        if let Some((_, prints)) = prints.find(|(start, _)| command.starts_with(*start)) {
            return format!(
                "printed=$({command})\nstatus=$?; case \"$status $printed\" in '{prints}'*) ;; *) echo '{shown}: status '$status\", \
                 printed $printed\"; exit 1; esac\n"
            );
        }
        format!(
            "{command}\nstatus=$?; [ $status = {expected} ] || {{ echo '{shown}: status '$status >&2; exit 1; }}\n"
        )
    }

    fn with_free_ports(&self, text: &str) -> String {
        self.ports
            .iter()
            .fold(text.to_owned(), |text, (port, free)| {
                text.replace(port, free)
            })
    }

    /// Returns the variables of a reader's shell. Caches of tools stay where they are.
    fn environment(&self) -> Vec<(&'static str, PathBuf)> {
        let real = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
        let cache = |name: &'static str, default: &str| {
            (
                name,
                std::env::var_os(name).map_or_else(|| real.join(default), PathBuf::from),
            )
        };
        vec![
            ("HOME", self.home.clone()),
            // A page for several languages has a `vendor` folder, which is that of Composer and not
            // of Go.
            ("GOFLAGS", "-mod=mod".into()),
            cache("CARGO_HOME", ".cargo"),
            cache("RUSTUP_HOME", ".rustup"),
            cache("GOCACHE", ".cache/go-build"),
            cache("GOPATH", "go"),
            cache("PYENV_ROOT", ".pyenv"),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_listen_at_ports_of_the_pages() {
        let exceptions = Exceptions::read().unwrap();
        for [port, option] in exceptions.servers.values() {
            assert!(exceptions.ports.contains(port), "{port}");
            let (_, default) = option.rsplit_once(':').unwrap();
            assert!(exceptions.ports.iter().any(|port| port == default));
        }
        assert!(
            exceptions
                .before
                .keys()
                .all(|page| root().join(page).exists())
        );
    }

    #[test]
    fn reads_commands_and_files() {
        let page = "```sh\na --x   # why\n\nb \\\n  c\n```\n\nSave this as `policy.json`:\n\n```json\n{}\n```\nIt is `x`:\n\n```\ny\n```\n";
        assert_eq!(commands(page), ["a --x", "b    c"]);
        assert_eq!(
            saved(Path::new("page.md"), page).unwrap(),
            [("policy.json".to_owned(), "{}\n".to_owned())]
        );
    }
}
