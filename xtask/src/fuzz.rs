//! `cargo xtask fuzz`: the targets of tests/fuzz under libFuzzer and an address sanitizer, and the corpus that they leave.

use crate::look::{BAD, BOLD, FAINT, GOOD};
use crate::tools::{cargo_of, target};
use anstream::println;
use payspec_fuzz::{TARGETS, Target};
use payspec_tests::root;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SECONDS: u64 = 60;
/// What the repository keeps of a corpus, the seeds aside: at most so many files and bytes for each target.
const KEPT_FILES: usize = 300;
const KEPT_BYTES: usize = 100_000;

/// The verb.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let wanted = Wanted::of(arguments)?;
    has("nightly", &["--version"], "rustup toolchain install nightly")?;
    has("cargo-fuzz", &["fuzz", "--version"], "cargo install cargo-fuzz --locked")?;
    build()?;
    let mut failed = Vec::new();
    for target in wanted.targets {
        println!("\n{BOLD}{}{BOLD:#}  {FAINT}{}{FAINT:#}", target.name, target.about);
        let folders = Folders::of(target).map_err(|error| format!("{}: {error}", target.name))?;
        if wanted.seconds > 0 {
            match folders.fuzz(target, wanted.seconds) {
                Ok(said) => println!("   {GOOD}nothing found{GOOD:#}  {FAINT}{said}{FAINT:#}"),
                Err(said) => {
                    println!("   {BAD}failed{BAD:#}  {said}");
                    failed.push(target.name);
                }
            }
        }
        if wanted.minimise {
            println!("   {}", folders.minimise(target)?);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("\nfailed: {}", failed.join(", "))) }
}

struct Wanted {
    seconds: u64,
    minimise: bool,
    targets: Vec<&'static Target>,
}

impl Wanted {
    fn of(arguments: &[String]) -> Result<Wanted, String> {
        let mut wanted = Wanted { seconds: SECONDS, minimise: false, targets: Vec::new() };
        let mut words = arguments.iter().map(String::as_str);
        while let Some(word) = words.next() {
            match word {
                "--minimise" => wanted.minimise = true,
                "--seconds" => {
                    let number = words.next().and_then(|number| number.parse().ok());
                    wanted.seconds = number.ok_or("--seconds takes a number; 0 fuzzes nothing")?;
                }
                name => wanted.targets.push(payspec_fuzz::target(name).ok_or_else(|| {
                    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
                    format!("There is no target {name}: {}.", names.join(", "))
                })?),
            }
        }
        if wanted.targets.is_empty() {
            wanted.targets = TARGETS.iter().collect();
        }
        Ok(wanted)
    }
}

/// Where the inputs of a target are.
struct Folders {
    /// What the repository keeps.
    kept: PathBuf,
    /// What the vectors and examples give, made anew each time.
    seeds: PathBuf,
    /// What the fuzzer has found here, from run to run.
    found: PathBuf,
    /// What made it fail.
    failures: PathBuf,
    log: PathBuf,
}

impl Folders {
    fn of(target: &Target) -> std::io::Result<Folders> {
        let below = |name: &str| scratch().join(name).join(target.name);
        let folders = Folders {
            kept: root().join("tests/fuzz/corpus").join(target.name),
            seeds: below("seeds"),
            found: below("found"),
            failures: below("failures"),
            log: scratch().join(format!("{}.log", target.name)),
        };
        if folders.seeds.exists() {
            fs::remove_dir_all(&folders.seeds)?;
        }
        for folder in [&folders.kept, &folders.seeds, &folders.found, &folders.failures] {
            fs::create_dir_all(folder)?;
        }
        for seed in (target.seeds)() {
            fs::write(folders.seeds.join(name_of(&seed)), seed)?;
        }
        Ok(folders)
    }

    /// Runs the target. Says how far it came, or what it has found.
    fn fuzz(&self, target: &Target, seconds: u64) -> Result<String, String> {
        let mut command = self.command(target, &[&self.found, &self.kept, &self.seeds])?;
        command.arg(format!("-max_total_time={seconds}")).arg("-timeout=20").arg("-print_final_stats=1");
        command.arg(format!("-dict={}", root().join("tests/fuzz/json.dict").display()));
        let status = self.logged(&mut command)?;
        let log = fs::read(&self.log).map(|log| String::from_utf8_lossy(&log).into_owned()).unwrap_or_default();
        let runs = log.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:")).map(str::trim);
        match runs {
            Some(runs) if status => Ok(format!("in {runs} executions of {seconds} s")),
            _ => {
                let (log, failures) = (self.log.display(), self.failures.display());
                let said = log_lines(&self.log, |line| line.contains("panicked at") || line.contains("ERROR: "));
                Err(format!("{said}\n   the input is in {failures}, all that was said in {log}"))
            }
        }
    }

    /// Replaces what the repository keeps by the fewest inputs that reach what all of them reach and the seeds do not.
    fn minimise(&self, target: &Target) -> Result<String, String> {
        let io = |error: std::io::Error| format!("{}: {error}", target.name);
        let merged = scratch().join("merged").join(target.name);
        if merged.exists() {
            fs::remove_dir_all(&merged).map_err(io)?;
        }
        fs::create_dir_all(&merged).map_err(io)?;
        let seeds = files(&self.seeds).map_err(io)?;
        for (name, seed) in &seeds {
            fs::write(merged.join(name), seed).map_err(io)?;
        }
        // Places reached, and not how often: a corpus for the tests, not for the fuzzer to stand still on.
        let mut command = self.command(target, &[&merged, &self.kept, &self.found])?;
        command.args(["-merge=1", "-use_counters=0"]);
        if !self.logged(&mut command)? {
            return Err(format!("the corpus could not be merged: see {}", self.log.display()));
        }
        let mut fresh = files(&merged).map_err(io)?;
        fresh.retain(|(name, _)| !seeds.iter().any(|(seed, _)| seed == name));
        let reached = fresh.len();
        fresh.sort_by_key(|(name, input)| (input.len(), name.clone()));
        let mut bytes = 0;
        fresh.truncate(KEPT_FILES);
        fresh.retain(|(_, input)| {
            bytes += input.len();
            bytes <= KEPT_BYTES
        });
        fs::remove_dir_all(&self.kept).and_then(|()| fs::create_dir_all(&self.kept)).map_err(io)?;
        for (_, input) in &fresh {
            fs::write(self.kept.join(name_of(input)), input).map_err(io)?;
        }
        let bytes: usize = fresh.iter().map(|(_, input)| input.len()).sum();
        Ok(format!("{} of {reached} inputs kept beside {} seeds, {bytes} bytes", fresh.len(), seeds.len()))
    }

    fn command(&self, target: &Target, corpora: &[&PathBuf]) -> Result<Command, String> {
        // Not by `cargo fuzz run`, which would build once more.
        let mut command = Command::new(binary(target)?);
        command.args(corpora).arg(format!("-max_len={}", target.longest)).env("ASAN_OPTIONS", "detect_odr_violation=0");
        command.arg(format!("-artifact_prefix={}/", self.failures.display()));
        Ok(command)
    }

    /// Runs it with all that it says in the log. Whether it ended well.
    fn logged(&self, command: &mut Command) -> Result<bool, String> {
        let log = fs::File::create(&self.log).map_err(|error| format!("{}: {error}", self.log.display()))?;
        let other = log.try_clone().map_err(|error| error.to_string())?;
        let status = command.stdin(Stdio::null()).stdout(log).stderr(other).status();
        status.map(|status| status.success()).map_err(|error| format!("the target: {error}"))
    }
}

/// What cargo-fuzz has built, in the folder of this machine's kind.
fn binary(target: &Target) -> Result<PathBuf, String> {
    let kinds = fs::read_dir(scratch().join("build")).map_err(|error| error.to_string())?;
    let built = |kind: fs::DirEntry| Some(kind.path().join("release").join(target.name)).filter(|file| file.is_file());
    kinds.flatten().find_map(built).ok_or_else(|| format!("{} was not built", target.name))
}

/// Below the target folder, so that `cargo clean` takes it along.
fn scratch() -> PathBuf {
    target().join("fuzz")
}

/// cargo on nightly, whichever one runs this program.
fn nightly() -> Command {
    cargo_of("nightly")
}

fn build() -> Result<(), String> {
    let mut cargo = nightly();
    cargo.args(["fuzz", "build", "--fuzz-dir", "tests/fuzz/libfuzzer", "--target-dir"]).arg(scratch().join("build"));
    match cargo.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("the targets do not build".to_owned()),
        Err(error) => Err(format!("cargo fuzz: {error}")),
    }
}

fn has(what: &str, arguments: &[&str], install: &str) -> Result<(), String> {
    match nightly().args(arguments).output() {
        Ok(output) if output.status.success() => Ok(()),
        _ => Err(format!("{what} is missing: {install}")),
    }
}

/// The inputs of a folder with the names of their files.
fn files(folder: &Path) -> std::io::Result<Vec<(String, Vec<u8>)>> {
    let read = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry?;
        Ok((entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?))
    };
    fs::read_dir(folder)?.map(read).collect()
}

fn name_of(input: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn log_lines(log: &Path, which: fn(&str) -> bool) -> String {
    let text = fs::read(log).map(|text| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default();
    text.lines().filter(|line| which(line)).collect::<Vec<_>>().join("\n   ")
}
