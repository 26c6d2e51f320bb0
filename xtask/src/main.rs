//! The few commands that people type: `cargo xtask` lists them.

mod api;
mod bench;
mod bless;
mod coverage;
mod demo;
mod deny;
mod fuzz;
mod header;
mod hosts;
mod install;
mod load;
mod look;
mod model;
mod msrv;
mod mutants;
mod npm;
mod serve;
mod suite;
mod tally;
mod tools;

use anstream::{eprintln, println};
use look::{BOLD, FAINT};
use std::process::ExitCode;

/// One command.
struct Verb {
    name: &'static str,
    arguments: &'static str,
    about: &'static [&'static str],
    run: fn(&[String]) -> Result<(), String>,
}

const VERBS: [Verb; 17] = [
    Verb {
        name: "serve",
        arguments: "[--listen ADDR] [--database URL] [--check]",
        about: &[
            "Builds and starts the service with its checkout page, at 127.0.0.1:8080 and on SQLite below target, and prints an",
            "access token and a call to try. Ctrl-C ends it. With --check it is tested instead, in a browser too.",
        ],
        run: serve::run,
    },
    Verb {
        name: "test",
        arguments: "",
        about: &[
            "Everything that must hold: formatting, lints, documentation, every test, every vector, the demo.",
            "This is what .ci/run calls. Closes with one line, `N passed, N failed`.",
        ],
        run: suite::test,
    },
    Verb {
        name: "demo",
        arguments: "",
        about: &["Shows the library at work on the bodies in examples/bodies: request, verdict, answer."],
        run: demo::run,
    },
    Verb {
        name: "bless",
        arguments: "[--check]",
        about: &[
            "Fills in the answers of the vectors in tests/vectors, but only where what a person wrote, `returns` and",
            "`expect`, holds. With --check nothing is written; it fails where something would be.",
        ],
        run: bless::run,
    },
    Verb {
        name: "header",
        arguments: "[--check]",
        about: &[
            "Makes include/payspec.h and include/payspec.ffi.h from the sources in ffi. With --check nothing is written;",
            "it fails where something would be.",
        ],
        run: header::run,
    },
    Verb {
        name: "install",
        arguments: "[--prefix P] [--destdir D]",
        about: &[
            "Builds libpayspec and lays it down below P (/usr/local): headers, shared and static library, payspec.pc, the",
            "CMake package. With --destdir all of it goes below D instead, for packages.",
        ],
        run: install::run,
    },
    Verb {
        name: "hosts",
        arguments: "[name…]",
        about: &[
            "Builds the programs in examples/ (c, c-static, cpp, python, go, php, java) against an installed library, runs",
            "their tests, and compares their answers with the core's. With names, those alone.",
        ],
        run: hosts::run,
    },
    Verb {
        name: "npm",
        arguments: "[--check | --twice]",
        about: &[
            "Builds the npm package into wasm/pkg, ready for `npm publish`: WebAssembly, the entries for ESM and CommonJS,",
            "types. With --check it is tested too, in Node.js, browsers and bundlers. The same sources give the same bytes:",
            "--twice builds a copy of them from nothing in another folder, and compares every file.",
        ],
        run: npm::run,
    },
    Verb {
        name: "load",
        arguments: "[SECONDS]",
        about: &[
            "How many requests a second: wrk against a bare axum handler and against the gateway on SQLite and on a PostgreSQL",
            "of its own, SECONDS (10) for each. Prints the table of examples/gateway/README.md.",
        ],
        run: load::run,
    },
    Verb {
        name: "model",
        arguments: "[--bodies N] [--seed S]",
        about: &[
            "Generated bodies (1000000) before the library and before tests/model, a second validate_request in Python:",
            "verdict, variant, mode and every violation must be the same. Closes with `N passed, N failed`.",
        ],
        run: model::run,
    },
    Verb {
        name: "fuzz",
        arguments: "[--seconds N] [--minimise] [target…]",
        about: &[
            "Runs the targets of tests/fuzz under libFuzzer, each for N seconds (60): operations, reader, amount, c, legacy,",
            "redact. Needs nightly and cargo-fuzz. With --minimise it then writes the corpus that the tests replay.",
        ],
        run: fuzz::run,
    },
    Verb {
        name: "bench",
        arguments: "[--only SIDE | --short | --instructions | --bless-instructions]",
        about: &[
            "payspec and its peers in Rust, Node.js, Python and from C on one corpus: times, allocations, sizes, and which of",
            "the targets P1 to P13 are reached; written to tests/bench/RESULTS.md and README.md. --only rust, node, python, c",
            "or sizes writes nothing. With --short all run in seconds, and with --instructions the budget of instructions is",
            "checked; --bless-instructions takes new counts into it.",
        ],
        run: bench::run,
    },
    Verb {
        name: "api",
        arguments: "[--bless]",
        about: &[
            "The public items of the crate payspec against tests/data/public-api.txt: what is gone, new or changed is shown",
            "and fails. With --bless the list is written anew.",
        ],
        run: api::run,
    },
    Verb {
        name: "msrv",
        arguments: "",
        about: &[
            "Compiles payspec and payspec-ffi with the oldest Rust that Cargo.toml states, which rustup must have.",
        ],
        run: msrv::run,
    },
    Verb {
        name: "coverage",
        arguments: "[--list | --short]",
        about: &[
            "How many lines and branches of core and ffi the tests reach, by cargo-llvm-cov; 99 % and 95 % are asked for. What",
            "is not reached is listed where that fails, or with --list; tests/data/uncovered.toml says what cannot be. --short",
            "asks for 90 % of the core's lines by the vectors, the corpus of the fuzz targets and the unit tests.",
        ],
        run: coverage::run,
    },
    Verb {
        name: "mutants",
        arguments: "[--shard K/N] [--file PATH] [--short]",
        about: &[
            "Breaks the core in one place after the other, by cargo-mutants, and asks the vectors and tests whether they see it:",
            "requests, money, states, idempotency, authorization and the reader, or one file. Hours; a shard is a part of them.",
        ],
        run: mutants::run,
    },
    Verb {
        name: "deny",
        arguments: "[--npm | --offline]",
        about: &[
            "What may come into the build, as deny.toml says, by cargo-deny: licences, bans, sources, and the advisories that",
            "are published. With --npm `npm audit` as well. Needs the network; --offline asks what needs none, as the tests do.",
        ],
        run: deny::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asked = |word: &String| matches!(word.as_str(), "help" | "--help" | "-h");
    let Some((name, rest)) = arguments.split_first().filter(|_| !arguments.iter().any(asked)) else {
        help();
        return ExitCode::SUCCESS;
    };
    let Some(verb) = VERBS.iter().find(|verb| verb.name == name) else {
        eprintln!("There is no command {name}: `cargo xtask` lists them.");
        return ExitCode::from(2);
    };
    if verb.arguments.is_empty() && !rest.is_empty() {
        eprintln!("{name} takes no arguments.");
        return ExitCode::from(2);
    }
    match (verb.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            if !message.is_empty() {
                eprintln!("{message}");
            }
            ExitCode::FAILURE
        }
    }
}

fn help() {
    println!("The commands of this project:\n");
    for verb in &VERBS {
        println!("  {BOLD}{}{BOLD:#}", format!("cargo xtask {} {}", verb.name, verb.arguments).trim_end());
        for line in verb.about {
            println!("      {FAINT}{line}{FAINT:#}");
        }
    }
}
