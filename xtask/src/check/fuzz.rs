//! `cargo xtask fuzz`: runs the targets of tests/fuzz with libFuzzer and an address sanitizer, and
//! minimizes corpora.

use crate::generate;
use crate::support::files::empty;
use crate::support::process::{cargo_of, run_checked, target, works};
use crate::support::style::{BAD, BOLD, FAINT, GOOD};
use anstream::println;
use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use fs_err as fs;
use payspec_support::root;
use serde::Deserialize;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const DEFAULT_SECONDS: u64 = 60;
/// The limits of a kept corpus, without the seeds.
const KEPT_FILES: usize = 300;
const KEPT_BYTES: usize = 100_000;

/// The arguments of `cargo xtask fuzz`.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Time for each target; 0 skips fuzzing
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SECONDS)]
    pub(crate) seconds: u64,
    /// Update the kept corpus, which the tests replay, after the run
    #[arg(long)]
    pub(crate) minimize: bool,
    /// Names of targets; all if none is given
    #[arg(value_name = "TARGET")]
    pub(crate) targets: Vec<String>,
}

/// A fuzz target, as `tests/fuzz` defines it.
#[derive(Deserialize)]
struct Target {
    name: String,
    about: String,
    /// The maximum length of an input.
    longest: usize,
}

impl Options {
    fn targets(&self) -> Result<Vec<Target>> {
        let mut all: Vec<Target> = generate::parsed(&["fuzz-targets"], &[])?;
        let is_known = |name: &&String| all.iter().any(|target| target.name == **name);
        if let Some(name) = self.targets.iter().find(|name| !is_known(name)) {
            let names: Vec<&str> = all.iter().map(|target| target.name.as_str()).collect();
            let names = names.join(", ");
            bail!("unknown target {name}: expected one of {names}");
        }
        all.retain(|target| self.targets.is_empty() || self.targets.contains(&target.name));
        Ok(all)
    }
}

/// Fuzzes each target and minimizes its corpus if requested.
///
/// # Errors
/// Returns a message if a target is unknown, a tool is missing, the build fails, or a target fails.
pub(crate) fn run(options: &Options) -> Result<()> {
    let targets = options.targets()?;
    require(
        "nightly",
        &["--version"],
        "rustup toolchain install nightly",
    )?;
    require(
        "cargo-fuzz",
        &["fuzz", "--version"],
        "cargo install --locked cargo-fuzz@0.13.2",
    )?;
    build()?;
    let mut failed = Vec::new();
    for target in &targets {
        println!(
            "\n{BOLD}{}{BOLD:#}  {FAINT}{}{FAINT:#}",
            target.name, target.about
        );
        let folders = Folders::prepare(target)?;
        if options.seconds > 0 {
            match folders.fuzz(target, options.seconds) {
                Ok(summary) => println!("   {GOOD}no failures{GOOD:#}  {FAINT}{summary}{FAINT:#}"),
                Err(summary) => {
                    println!("   {BAD}failed{BAD:#}  {summary}");
                    failed.push(target.name.as_str());
                }
            }
        }
        if options.minimize {
            println!("   {}", folders.minimize(target)?);
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(anyhow!("\nfailed: {}", failed.join(", ")))
    }
}

/// The working folders of a target, below the target folder.
struct Folders {
    /// The kept corpus, unpacked from its file before each run.
    kept: PathBuf,
    /// Inputs from the vectors and examples, written before each run.
    seeds: PathBuf,
    /// Inputs that the fuzzer found, preserved between runs.
    found: PathBuf,
    /// Inputs that made the target fail.
    failures: PathBuf,
    log: PathBuf,
}

impl Folders {
    fn prepare(target: &Target) -> Result<Folders> {
        let below = |name: &str| scratch().join(name).join(&target.name);
        let folders = Folders {
            kept: below("kept"),
            seeds: below("seeds"),
            found: below("found"),
            failures: below("failures"),
            log: scratch().join(format!("{}.log", target.name)),
        };
        let (kept, seeds) = (folders.kept.display().to_string(), folders.seeds.display());
        generate::run(&["fuzz-inputs", &target.name, &kept, &seeds.to_string()])?;
        for folder in [&folders.found, &folders.failures] {
            fs::create_dir_all(folder)?;
        }
        Ok(folders)
    }

    /// Runs the target. Returns the number of executions, or a description of the failure.
    fn fuzz(&self, target: &Target, seconds: u64) -> Result<String> {
        let mut command = self.command(target, &[&self.found, &self.kept, &self.seeds])?;
        command
            .arg(format!("-max_total_time={seconds}"))
            .arg("-timeout=20")
            .arg("-print_final_stats=1");
        command.arg(format!(
            "-dict={}",
            root().join("tests/fuzz/json.dict").display()
        ));
        let succeeded = self.logged(&mut command)?;
        let log = fs::read(&self.log)
            .map(|log| String::from_utf8_lossy(&log).into_owned())
            .unwrap_or_default();
        let runs = log
            .lines()
            .find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))
            .map(str::trim);
        match runs {
            Some(runs) if succeeded => Ok(format!("{runs} executions in {seconds} s")),
            _ => {
                let is_error =
                    |line: &&str| line.contains("panicked at") || line.contains("ERROR: ");
                let errors = log
                    .lines()
                    .filter(is_error)
                    .collect::<Vec<_>>()
                    .join("\n   ");
                let (log, failures) = (self.log.display(), self.failures.display());
                Err(anyhow!(
                    "{errors}\n   the input is in {failures}, the full log in {log}"
                ))
            }
        }
    }

    /// Replaces the kept corpus by the fewest inputs that cover the code that kept and found inputs
    /// reach and the seeds do not.
    fn minimize(&self, target: &Target) -> Result<String> {
        let merged = scratch().join("merged").join(&target.name);
        let seeds: HashSet<Vec<u8>> = inputs(&self.seeds)?.into_iter().collect();
        fill(&merged, &seeds)?;
        // Without counters: the tests need each branch once, not each number of executions.
        let mut command = self.command(target, &[&merged, &self.kept, &self.found])?;
        command.args(["-merge=1", "-use_counters=0"]);
        if !self.logged(&mut command)? {
            bail!("merging the corpus failed: see {}", self.log.display());
        }
        let mut inputs = inputs(&merged)?;
        inputs.retain(|input| !seeds.contains(input));
        let covering = inputs.len();
        inputs.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
        inputs.truncate(KEPT_FILES);
        let mut bytes = 0;
        inputs.retain(|input| {
            bytes += input.len();
            bytes <= KEPT_BYTES
        });
        let (kept, bytes) = (inputs.len(), inputs.iter().map(Vec::len).sum::<usize>());
        let chosen = scratch().join("chosen").join(&target.name);
        fill(&chosen, &inputs)?;
        generate::run(&["fuzz-keep", &target.name, &chosen.display().to_string()])?;
        Ok(format!(
            "kept {kept} of {covering} inputs, {bytes} bytes, in addition to {} seeds",
            seeds.len()
        ))
    }

    fn command(&self, target: &Target, corpora: &[&PathBuf]) -> Result<Command> {
        // `cargo fuzz run` would build again.
        let mut command = Command::new(binary(target)?);
        command
            .args(corpora)
            .arg(format!("-max_len={}", target.longest))
            .env("ASAN_OPTIONS", "detect_odr_violation=0");
        command.arg(format!("-artifact_prefix={}/", self.failures.display()));
        Ok(command)
    }

    /// Runs the command with its output in the log. Returns true if it succeeded.
    fn logged(&self, command: &mut Command) -> Result<bool> {
        let log = fs::File::create(&self.log)?.into_file();
        command
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log);
        Ok(command.status().context("the target")?.success())
    }
}

/// Returns the binary that cargo-fuzz built, in the folder of this machine's target triple.
fn binary(target: &Target) -> Result<PathBuf> {
    let triples = fs::read_dir(scratch().join("build"))?;
    let built = |triple: fs::DirEntry| {
        Some(triple.path().join("release").join(&target.name)).filter(|file| file.is_file())
    };
    triples
        .flatten()
        .find_map(built)
        .with_context(|| format!("{} was not built", target.name))
}

/// Returns a folder below the target folder, so that `cargo clean` removes it.
fn scratch() -> PathBuf {
    target().join("fuzz")
}

/// Returns cargo of the nightly toolchain, for any toolchain that runs this program.
fn nightly() -> Command {
    cargo_of("nightly")
}

fn build() -> Result<()> {
    let mut cargo = nightly();
    cargo.args([
        "fuzz",
        "build",
        "--fuzz-dir",
        "tests/fuzz/libfuzzer",
        "--target-dir",
    ]);
    run_checked(cargo.arg(scratch().join("build")), "cargo fuzz")
}

/// Returns an error with the command that installs the tool if it cannot be run.
fn require(tool: &str, arguments: &[&str], install: &str) -> Result<()> {
    ensure!(
        works(nightly().args(arguments)),
        "{tool} is missing: {install}"
    );
    Ok(())
}

/// Replaces the contents of a folder by these inputs, each in a file named by its hash.
fn fill<'i>(folder: &Path, inputs: impl IntoIterator<Item = &'i Vec<u8>>) -> Result<()> {
    empty(folder)?;
    for input in inputs {
        let mut hasher = DefaultHasher::new();
        input.hash(&mut hasher);
        fs::write(folder.join(format!("{:016x}", hasher.finish())), input)?;
    }
    Ok(())
}

/// Reads the files of a folder.
fn inputs(folder: &Path) -> Result<Vec<Vec<u8>>> {
    let read = |entry: std::io::Result<fs::DirEntry>| Ok(fs::read(entry?.path())?);
    fs::read_dir(folder)?.map(read).collect()
}
