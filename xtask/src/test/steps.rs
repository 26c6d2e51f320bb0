//! The steps of `cargo xtask test` in one table. A new component adds its steps here.

use super::executables;
use super::runners;
use super::step::Run::{Cargo, Checks, Counted, OtherTests};
use super::step::Tier::{All, Release, Usual};
use super::step::{Run, Step, Tests};
use crate::build::{cli, npm};
use crate::check::{api, bulk, clients, coverage, deny, model, msrv, mutants, trials};
use crate::dist;
use crate::docs::{self, comments};
use crate::examples;
use crate::run::{sandbox, serve};

pub(crate) const STEPS: &[Step] = &[
    Step {
        name: "format",
        about: "formatting of the Rust sources",
        tier: Usual,
        after: &[],
        locks: &[],
        tools: "rustfmt",
        run: Cargo(&["fmt --all --check"]),
    },
    Step {
        name: "build",
        about: "builds the test executables and the gateway with one profile",
        tier: Usual,
        after: &[],
        locks: &["debug"],
        tools: "cc",
        run: Checks(&[("the test executables", executables::build)]),
    },
    Step {
        name: "npm",
        about: "builds the npm package if it is older than its sources",
        tier: Usual,
        after: &[],
        locks: &["wasm"],
        tools: "wasm32 rust-src node",
        run: Checks(&[("the package", npm::ready)]),
    },
    Step {
        name: "core",
        about: "unit tests of the core, all vectors in Rust, generated files",
        tier: Usual,
        after: &["build"],
        locks: &[],
        tools: "",
        run: Counted(runners::core),
    },
    Step {
        name: "lints",
        about: "clippy on the default members",
        tier: Usual,
        after: &[],
        locks: &["debug"],
        tools: "clippy cc",
        run: Cargo(&["clippy --locked --all-targets -- -D warnings"]),
    },
    Step {
        name: "integration",
        about: "properties, canaries, serde_json, typed values, OpenAPI, replay of the fuzz corpora, xtask",
        tier: Usual,
        after: &["build"],
        locks: &[],
        tools: "",
        run: OtherTests,
    },
    Step {
        name: "gateway",
        about: "the gateway on SQLite and on PostgreSQL",
        tier: Usual,
        after: &["build"],
        locks: &[],
        tools: "cc postgresql",
        run: Run::Tests(&[Tests::of("payspec-gateway", "")]),
    },
    Step {
        name: "doctests",
        about: "the examples in the documentation",
        tier: Usual,
        after: &["build"],
        locks: &["debug"],
        tools: "",
        run: Counted(runners::doctests),
    },
    Step {
        name: "c",
        about: "all vectors through the C library",
        tier: Usual,
        after: &["build"],
        locks: &["debug"],
        tools: "cc",
        run: Counted(runners::c),
    },
    Step {
        name: "node",
        about: "the npm package: all vectors, types, values, sizes, in Node.js and in Chromium",
        tier: Usual,
        after: &["npm"],
        locks: &["node"],
        tools: "wasm32 rust-src node chromium",
        run: Counted(npm::check::package),
    },
    Step {
        name: "python",
        about: "the Python package and program: unit tests, all vectors",
        tier: Usual,
        after: &["c"],
        locks: &["debug"],
        tools: "python3",
        run: Counted(examples::python),
    },
    Step {
        name: "bulk",
        about: "the Python package over columns of Arrow, in DuckDB and polars, and its programs",
        tier: All,
        after: &["c"],
        locks: &["debug"],
        tools: "python3 python3-venv pyarrow numpy duckdb polars",
        run: Counted(bulk::check),
    },
    Step {
        name: "page",
        about: "`cargo xtask serve`, and its checkout page in Chromium",
        tier: Usual,
        after: &["build", "npm"],
        locks: &["node"],
        tools: "wasm32 rust-src node chromium curl cc",
        run: Counted(serve::check),
    },
    Step {
        name: "sandbox",
        about: "`payspec sandbox` and `payspec conform`: planted faults, 1,000 runs at once, the console, shops in Node.js and Python",
        tier: Usual,
        after: &["build", "npm"],
        locks: &["debug", "node"],
        tools: "wasm32 rust-src node chromium cc postgresql python3 pytest",
        run: Counted(sandbox::check),
    },
    Step {
        name: "protocol",
        about: "all states of a model of keys, storage and faults, and of variants that lack a precaution",
        tier: All,
        after: &["build"],
        locks: &[],
        tools: "",
        run: Run::Tests(&[Tests::of("payspec-protocol", "")]),
    },
    Step {
        name: "bundlers",
        about: "the npm package in bundlers, programs, and Firefox",
        tier: All,
        after: &["npm"],
        locks: &["node"],
        tools: "wasm32 rust-src node chromium firefox",
        run: Counted(npm::check::bundlers),
    },
    Step {
        name: "coverage",
        about: "coverage of the core by the vectors, the corpora and the unit tests",
        tier: All,
        after: &["build"],
        locks: &["coverage"],
        tools: "llvm-tools cargo-llvm-cov",
        run: Checks(&[("coverage of the core", coverage::check)]),
    },
    Step {
        name: "c-library",
        about: "the installed C library: header, symbols, pkg-config, CMake",
        tier: All,
        after: &["build"],
        locks: &["release"],
        tools: "cc c++ clang cmake make binutils pkg-config valgrind",
        run: Run::Tests(&[Tests::of("payspec-tests", "ffi")]),
    },
    Step {
        name: "c-memory",
        about: "C programs and all vectors under valgrind, AddressSanitizer and a checking allocator",
        tier: All,
        after: &["c-library"],
        locks: &["release"],
        tools: "cc valgrind binutils",
        // The step `c` runs one program with one compiler; the others are part of this one.
        run: Run::Tests(&[
            Tests::of("payspec-tests", "ffi_memory"),
            Tests::of("payspec-tests", "ffi_vectors").with(&["--all"]),
        ]),
    },
    Step {
        name: "dist-quick",
        about: "the packages of all languages with libraries of a quick build, installed: programs and vectors, on x86-64 and on aarch64 under qemu",
        tier: All,
        after: &["npm", "c-library"],
        locks: &["dist"],
        tools: dist::QUICK_TOOLS,
        run: Counted(dist::quick),
    },
    Step {
        name: "mutants",
        about: "a sample of mutants of the core, which the tests must detect",
        tier: All,
        after: &["build"],
        locks: &["mutants"],
        tools: "cargo-mutants",
        run: Counted(mutants::check),
    },
    Step {
        name: "growth",
        about: "instructions for the worst bodies grow at most linearly",
        tier: All,
        after: &["build"],
        locks: &[],
        tools: "valgrind",
        run: Run::Tests(&[Tests::of("payspec-tests", "growth")]),
    },
    Step {
        name: "bench",
        about: "benchmarks in short form, and the instruction budget",
        tier: All,
        after: &["build", "npm", "c-library"],
        locks: &["debug", "release", "node"],
        tools: "cc binutils wasm32 rust-src node python3 python3-venv valgrind jq",
        run: Counted(runners::bench),
    },
    Step {
        name: "sandbox-all",
        about: "the sandbox with a shop in Java, and as the server of the checkout page",
        tier: All,
        after: &["sandbox"],
        locks: &["debug", "node"],
        tools: "wasm32 rust-src node chromium cc java junit",
        run: Counted(sandbox::check_all),
    },
    Step {
        name: "schemathesis",
        about: "the gateway's answers match its OpenAPI document",
        tier: All,
        after: &["build"],
        locks: &[],
        tools: "schemathesis cc",
        run: Run::Tests(&[
            Tests::of("payspec-gateway", "service").with(&["--ignored", "schemathesis"])
        ]),
    },
    Step {
        name: "clients",
        about: "clients that openapi-typescript and openapi-python-client generate, with the gateway",
        tier: All,
        after: &["build", "npm"],
        locks: &["debug", "node"],
        tools: "wasm32 rust-src node python3 python3-venv openapi-python-client cc",
        run: Counted(clients::check),
    },
    Step {
        name: "chaos",
        about: "the gateway under load with faults: disk, log, descriptors, clients, signals, clock, receivers, database",
        tier: All,
        after: &["build"],
        locks: &["debug"],
        tools: "cc postgresql faketime",
        run: Run::Tests(&[Tests::of("payspec-trials", "chaos")]),
    },
    Step {
        name: "failover",
        about: "three gateways while the primary of their PostgreSQL cluster is killed, cut off, and paused",
        tier: All,
        after: &["build"],
        locks: &["debug"],
        tools: trials::CLUSTER,
        run: Run::Tests(&[Tests::of("payspec-trials", "failover")]),
    },
    Step {
        name: "spark",
        about: "the Python package on two executors of Spark, the types of all its modules, and a short measurement",
        tier: All,
        after: &["bulk"],
        locks: &["debug"],
        tools: "python3 python3-venv java pyarrow numpy duckdb polars pandas pyspark jsonschema_rs node mypy pyright",
        run: Counted(bulk::spark),
    },
    Step {
        name: "examples",
        about: "programs in C, C++, Python, Go, PHP, and Java, and their packages: unit tests, all vectors",
        tier: All,
        after: &["c-library"],
        locks: &["release"],
        tools: "cc c++ make cmake binutils pkg-config python3 go php java jna",
        run: Counted(examples::check),
    },
    Step {
        name: "cli",
        about: "the command line: `cargo install`, and static binaries with and without the sandbox, for x86-64 and ARM64",
        tier: Release,
        after: &["npm", "c-library"],
        locks: &["dist", "node"],
        tools: cli::TOOLS,
        run: Checks(&[
            ("cargo install --path cli", cli::install),
            ("static binaries", cli::check),
        ]),
    },
    Step {
        name: "dist",
        about: "the same with all optimizations, on every platform, and in addition the sdist, Deno, and Bun",
        tier: Release,
        after: &["npm", "c-library"],
        locks: &["dist", "node"],
        tools: dist::TOOLS,
        run: Counted(dist::check),
    },
    Step {
        name: "model",
        about: "generated bodies, texts, and logs in the library and in the model in Python, mutated bodies in the library and the page's module",
        tier: All,
        after: &["c-library", "npm"],
        locks: &["release", "node"],
        tools: "python3 binutils wasm32 rust-src node",
        run: Counted(model::check),
    },
    Step {
        name: "redaction",
        about: "a million texts in the library and in the model in Python, 100,000 records of each format of logs",
        tier: Release,
        after: &["c-library"],
        locks: &["release"],
        tools: "python3 binutils",
        run: Counted(model::check_redaction),
    },
    Step {
        name: "docs",
        about: "the documentation builds without warnings: rustdoc, as on docs.rs, Doxygen, docstrings, TypeDoc",
        tier: All,
        after: &["lints"],
        locks: &["debug"],
        tools: "cc doxygen python3 python3-venv ruff node",
        run: Checks(&[
            ("the documentation of all members", comments::members),
            ("the crate payspec as on docs.rs", comments::docs_rs),
            ("the comments of the C header", comments::header),
            ("the docstrings of the Python package", comments::python),
            (
                "the comments of the types of the npm package",
                comments::types,
            ),
        ]),
    },
    Step {
        name: "book",
        about: "the book: pages, links, spelling, commands, examples in eight languages, the playground",
        tier: All,
        after: &["build", "npm", "lints", "c-library"],
        locks: &["debug", "release", "node"],
        tools: "mdbook typos wasm32 rust-src node chromium python3 python3-venv php composer go java jna pkg-config binutils curl sqlite3 cc",
        run: Counted(docs::check),
    },
    Step {
        name: "lints-all",
        about: "clippy on all members and on the core without features, the unit tests of the latter, and the command line alone",
        tier: All,
        after: &["lints"],
        locks: &["debug"],
        tools: "clippy cc",
        run: Cargo(&[
            "clippy --locked --workspace --all-targets -- -D warnings",
            "clippy --locked --package payspec --no-default-features -- -D warnings",
            "build --locked --package payspec --no-default-features",
            "test --locked --package payspec --lib --no-default-features",
            // With the features of `cargo install --path cli`.
            "check --locked --package payspec-cli",
        ]),
    },
    Step {
        name: "api",
        about: "the public items of the crate payspec match tests/data/public-api.txt, and its features are additive",
        tier: All,
        after: &[],
        locks: &["api"],
        tools: "",
        run: Checks(&[
            ("the public items", api::check),
            ("the features are additive", api::check_features),
        ]),
    },
    Step {
        name: "msrv",
        about: "the libraries compile with the oldest Rust that Cargo.toml states",
        tier: All,
        after: &[],
        locks: &["msrv"],
        tools: "rust-oldest",
        run: Checks(&[("the oldest Rust", msrv::run)]),
    },
    Step {
        name: "deny",
        about: "licenses, bans, and sources of dependencies",
        tier: All,
        after: &[],
        locks: &[],
        tools: "cargo-deny",
        run: Counted(deny::check),
    },
];

/// Returns the step with this name.
pub(crate) fn step(name: &str) -> Option<&'static Step> {
    STEPS.iter().find(|step| step.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::load;
    use crate::setup::TOOLS;

    #[test]
    fn has_unique_names_and_known_references() {
        for (index, step) in STEPS.iter().enumerate() {
            let has_name = |name: &str| STEPS[..index].iter().any(|other| other.name == name);
            assert!(!has_name(step.name), "{} twice", step.name);
            for after in step.after {
                // Earlier in the table, so that no steps wait for each other.
                assert!(has_name(after), "{}: no step {after}", step.name);
            }
            for name in step.tools() {
                let is_known = TOOLS.iter().any(|tool| tool.name == name);
                assert!(is_known, "{}: no tool {name}", step.name);
            }
        }
    }

    /// A step of the usual tier must not depend on one that only runs with `--all`.
    #[test]
    fn depends_on_usual_steps_only_in_usual_steps() {
        for usual in STEPS.iter().filter(|step| step.tier == Usual) {
            let mut after = usual.after.iter();
            assert!(after.all(|name| step(name).is_some_and(|other| other.tier == Usual)));
        }
    }

    /// A tool that no step and no measurement needs would be installed without a reason.
    #[test]
    fn needs_every_tool() {
        for tool in TOOLS.iter() {
            let mut steps = STEPS.iter().flat_map(Step::tools);
            let is_needed = steps.any(|name| name == tool.name);
            let is_measuring = load::TOOLS.split(' ').any(|name| name == tool.name);
            assert!(is_needed || is_measuring, "{}", tool.name);
        }
    }
}
