//! Runs the commands that README.md and the written pages of the book show, as a reader does: in
//! order, in a new folder for each page, with the files that the page names to save.

use super::common::{markdown_files, program, sources, write};
use crate::build::install;
use crate::support::{checks, process};
use anyhow::{Context, Result, anyhow, bail};
use fs_err as fs;
use payspec_support::{markdown, root};
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Commands that take minutes or need a server, with the step of `cargo xtask test --all` that runs
/// them.
const IN_STEPS: &[(&str, &str)] = &[
    (
        "cargo xtask install --prefix \"$HOME/payspec\"",
        "c-library",
    ),
    ("cargo xtask npm", "npm"),
    ("cargo xtask serve", "page"),
    ("cargo xtask test", "all steps"),
    ("cargo install --path cli --locked", "cli"),
    (
        "cargo install --path service/gateway --locked",
        "build, with another profile",
    ),
    (
        "pg_dump --format=custom payments > payments.dump",
        "gateway",
    ),
    ("createdb restored", "gateway"),
    ("pg_restore --dbname restored payments.dump", "gateway"),
    (
        "payspec conform --url https://pay.example --token TOKEN",
        "sandbox",
    ),
];

/// Commands that end when the reader stops them, with their port, and the option that sets the
/// default port. They run until the end of their page.
const SERVERS: [(&str, &str, &str); 2] = [
    ("payspec sandbox", "8085", "--listen 127.0.0.1:8085"),
    ("gateway serve", "8080", "--admin-listen 127.0.0.1:8090"),
];

/// Commands whose status is 1, since they report an invalid body.
const REPORTS: [&str; 4] = [
    "payspec validate body.json",
    "payspec validate examples/bodies/broken.json",
    "payspec migrate",
    "payspec policy diff",
];

/// The status of a command and the begin of its output, as its page states them.
const PRINTS: [(&str, &str); 7] = [
    (
        "cargo run --quiet",
        "0 /amount: the currency has 0 fraction digits (amount_scale)",
    ),
    ("python3 validate.py", "0 invalid\n/amount amount_syntax "),
    ("php validate.php", "0 invalid\n/amount amount_syntax "),
    ("go run .", "0 invalid\n/amount amount_syntax "),
    (
        "java -cp classes:/usr/share/java/jna.jar Validate.java",
        "0 invalid\n/amount amount_syntax ",
    ),
    ("node validate.mjs", "0 false amount_syntax"),
    ("cc verdict.c", "1 1 {\"valid\":false"),
];

/// What a reader has before a page, made by a script.
const BEFORE: &[(&str, &str)] = &[
    (
        "docs/src/start/rust.md",
        "cargo init --quiet --vcs none --name shop .",
    ),
    ("docs/src/start/javascript.md", "npm init -y > /dev/null"),
    (
        "docs/src/guides/backup.md",
        "gateway token new --merchant shop-42 --quiet > /dev/null",
    ),
];

/// Files that the commands of several pages read.
const FILES: [(&str, &str); 5] = [
    (
        "body.json",
        r#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"JPY","amount":"1500.50"}"#,
    ),
    ("policy.json", r#"{"severity":{"unknown_member":"off"}}"#),
    ("proposed.json", r#"{"required":["/merchant_id"]}"#),
    ("service.log", "paid with 4111 1111 1111 1111\n"),
    (
        "old.jsonl",
        "{\"amount\":\"1500.00\",\"currency\":\"RUB\"}\n",
    ),
];

/// The ports that the pages name, which other programs may use.
const PORTS: [&str; 3] = ["8080", "8085", "8090"];

/// Runs the commands of all pages.
pub(super) fn check() -> Result<()> {
    // Outside of the repository: cargo would take a package of a reader for a member of the
    // workspace.
    let folder = std::env::temp_dir().join(format!("payspec-commands-{}", std::process::id()));
    let reader = Reader::new(&folder)?;
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
            .partition(|command| !IN_STEPS.iter().any(|(known, _)| known == command));
        elsewhere.extend(others);
        if own.is_empty() {
            continue;
        }
        ran += own.len();
        if let Err(error) = reader.run(&page, &text, &own) {
            problems.push(format!("{page}: {error}"));
        }
    }
    let unused = IN_STEPS
        .iter()
        .filter(|(command, _)| !elsewhere.iter().any(|other| other == command));
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
    ports: Vec<(&'static str, String)>,
}

impl Reader {
    fn new(folder: &Path) -> Result<Self> {
        let home = folder.join("home");
        install::into(&home.join("payspec"))?;
        let gateway = process::executable(&process::build(&["--bin", "gateway"], &[])?, "gateway")?;
        let folders =
            [program()?, gateway].map(|program| program.parent().unwrap_or(folder).to_owned());
        let old = std::env::var_os("PATH").unwrap_or_default();
        let programs = std::env::join_paths(folders.into_iter().chain(std::env::split_paths(&old)));
        // All are bound at once, so that they differ.
        let bound: Result<Vec<TcpListener>, _> = PORTS
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
            ports: PORTS.into_iter().zip(free).collect(),
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
        let files = FILES
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
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
        let before = BEFORE
            .iter()
            .filter(|(path, _)| *path == page)
            .map(|(_, script)| (*script).to_owned());
        let mut script: String = before.map(|line| line + "\n").collect();
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
        if let Some((_, port, option)) = SERVERS
            .iter()
            .find(|(server, ..)| command.starts_with(server))
        {
            return self.with_free_ports(&format!(
                "{command} {option} > server.log 2>&1 &\nservers=\"$servers $!\"\nfor try in $(seq 100); do\n    \
                 curl --silent --output /dev/null http://127.0.0.1:{port}/healthz && break\n    sleep 0.1\ndone\nkill -0 $! || \
                 {{ cat server.log; exit 1; }}\n"
            ));
        }
        let command = self.with_free_ports(command);
        let expected = u8::from(
            REPORTS
                .iter()
                .any(|report| command.starts_with(report) && !command.contains("--policy")),
        );
        // A log that is followed has no end.
        let command = command.replace("tail -f ", "tail -n +1 ");
        if let Some((_, prints)) = PRINTS.iter().find(|(start, _)| command.starts_with(start)) {
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
    fn reads_commands_and_files() {
        let page = "```sh\na --x   # why\n\nb \\\n  c\n```\n\nSave this as `policy.json`:\n\n```json\n{}\n```\nIt is `x`:\n\n```\ny\n```\n";
        assert_eq!(commands(page), ["a --x", "b    c"]);
        assert_eq!(
            saved(Path::new("page.md"), page).unwrap(),
            [("policy.json".to_owned(), "{}\n".to_owned())]
        );
    }
}
