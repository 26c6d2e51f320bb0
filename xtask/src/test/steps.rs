//! The steps of `cargo xtask test` in one table. A new component adds its steps here.

use super::executables::{self, Which};
use super::runners;
use super::step::{Run, Step, Tier};
use crate::build::{cli, npm};
use crate::check::{api, bulk, clients, coverage, deny, failover, model, msrv, mutants};
use crate::dist;
use crate::docs::{self, comments};
use crate::examples;
use crate::run::{sandbox, serve};

/// The sources of the library, and the inputs of all its tests.
const LIBRARY: &[&str] = &[
    "include",
    "xtask/src/build/header.rs",
    "xtask/generate/src/bless.rs",
    "core",
    "ffi",
    "tests/src",
    "tests/tests",
    "tests/vectors",
    "tests/data",
    "tests/fuzz",
    "examples/bodies",
];
const C_LIBRARY: &[&str] = &[
    "core",
    "ffi",
    "include",
    "tests/src",
    "tests/c",
    "tests/vectors",
    "tests/tests/ffi",
];
const PACKAGE: &[&str] = &["core", "wasm", "tests/vectors", "xtask/src/build/npm"];
const DIST: &[&str] = &[
    "core",
    "ffi",
    "include",
    "bindings",
    "cli",
    "service/gateway",
    "examples/checkout/src",
    "tests/vectors",
    "xtask/src/dist",
];
const CLI: &[&str] = &[
    "core",
    "cli",
    "service/gateway",
    "service/sandbox",
    "examples/checkout/src",
    "Cargo.lock",
    "xtask/src/build/cli",
];
const BULK: &[&str] = &[
    "core",
    "ffi",
    "bindings/python",
    "examples/python/bulk",
    "tests/bulk",
    "xtask/src/check/bulk.rs",
];
const RUST: &[&str] = &[
    "cli",
    "core",
    "ffi",
    "wasm/src",
    "wasm/page",
    "service",
    "tests",
    "xtask",
];

pub(crate) const STEPS: &[Step] = &[
    Step {
        name: "format",
        about: "formatting of the Rust sources",
        tier: Tier::Usual,
        after: &[],
        locks: &[],
        tools: &["rustfmt"],
        paths: RUST,
        run: Run::Cargo(&["fmt", "--all", "--check"], &[]),
    },
    Step {
        name: "build",
        about: "builds the test executables and the gateway with one profile",
        tier: Tier::Usual,
        after: &[],
        locks: &["debug"],
        tools: &["cc"],
        paths: RUST,
        run: Run::Counted(executables::build),
    },
    Step {
        name: "npm",
        about: "builds the npm package if it is older than its sources",
        tier: Tier::Usual,
        after: &[],
        locks: &["wasm"],
        tools: &["wasm32", "rust-src", "node"],
        paths: PACKAGE,
        run: Run::Checks(&[("the package", npm::ready)]),
    },
    Step {
        name: "core",
        about: "unit tests of the core, all vectors in Rust, generated files",
        tier: Tier::Usual,
        after: &["build"],
        locks: &[],
        tools: &[],
        paths: LIBRARY,
        run: Run::Counted(runners::core),
    },
    Step {
        name: "lints",
        about: "clippy on the default members",
        tier: Tier::Usual,
        after: &[],
        locks: &["debug"],
        tools: &["clippy", "cc"],
        paths: RUST,
        run: Run::Cargo(
            &[
                "clippy",
                "--locked",
                "--all-targets",
                "--",
                "-D",
                "warnings",
            ],
            &[],
        ),
    },
    Step {
        name: "integration",
        about: "properties, canaries, serde_json, typed values, OpenAPI, replay of the fuzz corpora, xtask",
        tier: Tier::Usual,
        after: &["build"],
        locks: &[],
        tools: &[],
        paths: &[],
        run: Run::Executables(Which::Integration),
    },
    Step {
        name: "gateway",
        about: "the gateway on SQLite and on PostgreSQL",
        tier: Tier::Usual,
        after: &["build"],
        locks: &[],
        tools: &["cc", "postgresql"],
        paths: &["core", "service/gateway"],
        run: Run::Executables(Which::Gateway),
    },
    Step {
        name: "doctests",
        about: "the examples in the documentation",
        tier: Tier::Usual,
        after: &["build"],
        locks: &["debug"],
        tools: &[],
        paths: &["core", "README.md", "docs/src/start"],
        run: Run::Doctests,
    },
    Step {
        name: "c",
        about: "all vectors through the C library",
        tier: Tier::Usual,
        after: &["build"],
        locks: &["debug"],
        tools: &["cc"],
        paths: C_LIBRARY,
        run: Run::Counted(runners::c),
    },
    Step {
        name: "node",
        about: "the npm package: all vectors, types, values, sizes, in Node.js and in Chromium",
        tier: Tier::Usual,
        after: &["npm"],
        locks: &["node"],
        tools: &["wasm32", "rust-src", "node", "chromium"],
        paths: PACKAGE,
        run: Run::Counted(npm::check::package),
    },
    Step {
        name: "python",
        about: "the Python package and program: unit tests, all vectors",
        tier: Tier::Usual,
        after: &["c"],
        locks: &["debug"],
        tools: &["python3"],
        paths: &[
            "core",
            "ffi",
            "include",
            "tests/vectors",
            "bindings/python",
            "examples/python",
            "tests/src",
            "xtask/src/examples",
        ],
        run: Run::Counted(examples::python),
    },
    Step {
        name: "bulk",
        about: "the Python package over columns of Arrow, in DuckDB and polars, and its programs",
        tier: Tier::All,
        after: &["c"],
        locks: &["debug"],
        tools: &[
            "python3",
            "python3-venv",
            "pyarrow",
            "numpy",
            "duckdb",
            "polars",
        ],
        paths: BULK,
        run: Run::Counted(bulk::check),
    },
    Step {
        name: "page",
        about: "`cargo xtask serve`, and its checkout page in Chromium",
        tier: Tier::Usual,
        after: &["build", "npm"],
        locks: &["node"],
        tools: &["wasm32", "rust-src", "node", "chromium", "curl", "cc"],
        paths: &[
            "core",
            "wasm",
            "examples/checkout",
            "service/gateway",
            "xtask/src/run/serve",
            "xtask/src/build/npm",
        ],
        run: Run::Counted(serve::check),
    },
    Step {
        name: "sandbox",
        about: "`payspec sandbox` and `payspec conform`: planted faults, 1,000 runs at once, the console, shops in Node.js and Python",
        tier: Tier::Usual,
        after: &["build", "npm"],
        locks: &["debug", "node"],
        tools: &[
            "wasm32",
            "rust-src",
            "node",
            "chromium",
            "cc",
            "postgresql",
            "python3",
            "pytest",
        ],
        paths: &[
            "core",
            "cli",
            "service/gateway",
            "service/sandbox",
            "examples/sandbox",
            "examples/checkout/src",
            "docs/src/start/merchant.md",
            "xtask/src/run/sandbox.rs",
        ],
        run: Run::Counted(sandbox::check),
    },
    Step {
        name: "protocol",
        about: "all states of a model of keys, storage and faults, and of variants that lack a precaution",
        tier: Tier::All,
        after: &["build"],
        locks: &[],
        tools: &[],
        paths: &["core", "tests/protocol"],
        run: Run::Executables(Which::Protocol),
    },
    Step {
        name: "bundlers",
        about: "the npm package in bundlers, programs, and Firefox; a second build is identical",
        tier: Tier::All,
        after: &["npm"],
        locks: &["node"],
        tools: &["wasm32", "rust-src", "node", "chromium", "firefox"],
        paths: &[
            "core",
            "wasm",
            "examples/node",
            "examples/checkout",
            "xtask/src/build/npm",
        ],
        run: Run::Counted(npm::check::bundlers),
    },
    Step {
        name: "cli-static",
        about: "the command line: `cargo install`, and static binaries: with the sandbox for x86-64, without it for ARM64",
        tier: Tier::All,
        // After the steps that build the page and the package, so without their lock.
        after: &["npm", "node", "bundlers", "page"],
        locks: &["dist"],
        tools: cli::TOOLS,
        paths: CLI,
        run: Run::Checks(&[
            ("cargo install --path cli", cli::install),
            ("static binaries", cli::check_quickly),
        ]),
    },
    Step {
        name: "coverage",
        about: "coverage of the core by the vectors, the corpora and the unit tests",
        tier: Tier::All,
        after: &["build"],
        locks: &["coverage"],
        tools: &["llvm-tools", "cargo-llvm-cov"],
        paths: LIBRARY,
        run: Run::Counted(coverage::check),
    },
    Step {
        name: "c-library",
        about: "the installed C library: header, symbols, pkg-config, CMake",
        tier: Tier::All,
        after: &["build"],
        locks: &["release"],
        tools: &[
            "cc",
            "c++",
            "clang",
            "cmake",
            "make",
            "binutils",
            "pkg-config",
            "valgrind",
        ],
        paths: C_LIBRARY,
        run: Run::Executables(Which::CLibrary),
    },
    Step {
        name: "c-memory",
        about: "C programs and all vectors under valgrind, AddressSanitizer and a checking allocator",
        tier: Tier::All,
        after: &["c-library"],
        locks: &["release"],
        tools: &["cc", "valgrind", "binutils"],
        paths: C_LIBRARY,
        run: Run::Executables(Which::CMemory),
    },
    Step {
        name: "dist-quick",
        about: "the packages of all languages with libraries of a quick build, installed: programs and vectors, on x86-64 and on aarch64 under qemu",
        tier: Tier::All,
        // The static binaries share their crates with the packages, which then compile only the
        // gateway and the library.
        after: &["npm", "c-library", "cli-static"],
        locks: &["dist"],
        tools: dist::QUICK_TOOLS,
        paths: DIST,
        run: Run::Counted(dist::quick),
    },
    Step {
        name: "mutants",
        about: "a sample of mutants of the core, which the tests must detect",
        tier: Tier::All,
        after: &["build"],
        locks: &["mutants"],
        tools: &["cargo-mutants"],
        paths: LIBRARY,
        run: Run::Counted(mutants::check),
    },
    Step {
        name: "growth",
        about: "instructions for the worst bodies grow at most linearly",
        tier: Tier::All,
        after: &["build"],
        locks: &[],
        tools: &["valgrind"],
        paths: LIBRARY,
        run: Run::Executables(Which::Growth),
    },
    Step {
        name: "bench",
        about: "benchmarks in short form, and the instruction budget",
        tier: Tier::All,
        after: &["build", "npm", "c-library"],
        locks: &["debug", "release", "node"],
        tools: &[
            "cc",
            "binutils",
            "wasm32",
            "rust-src",
            "node",
            "python3",
            "python3-venv",
            "valgrind",
            "jq",
        ],
        paths: &[
            "cli",
            "core",
            "ffi",
            "wasm",
            "tests/bench",
            "xtask/src/bench",
        ],
        run: Run::Counted(runners::bench),
    },
    Step {
        name: "sandbox-all",
        about: "the sandbox with a shop in Java, and as the server of the checkout page",
        tier: Tier::All,
        after: &["sandbox"],
        locks: &["debug", "node"],
        tools: &[
            "wasm32", "rust-src", "node", "chromium", "cc", "java", "junit",
        ],
        paths: &[
            "core",
            "cli",
            "service/gateway",
            "service/sandbox",
            "examples/sandbox",
            "examples/checkout",
            "Cargo.lock",
        ],
        run: Run::Counted(sandbox::check_all),
    },
    Step {
        name: "schemathesis",
        about: "the gateway's answers match its OpenAPI document",
        tier: Tier::All,
        after: &["build"],
        locks: &[],
        tools: &["schemathesis", "cc"],
        paths: &["core", "service/gateway"],
        run: Run::Executables(Which::Schemathesis),
    },
    Step {
        name: "clients",
        about: "clients that openapi-typescript and openapi-python-client generate, with the gateway",
        tier: Tier::All,
        after: &["build", "npm"],
        locks: &["debug", "node"],
        tools: &[
            "wasm32",
            "rust-src",
            "node",
            "python3",
            "python3-venv",
            "openapi-python-client",
            "cc",
        ],
        paths: &[
            "core",
            "service/gateway",
            "examples/checkout/tests",
            "xtask/src/check/clients.rs",
        ],
        run: Run::Counted(clients::check),
    },
    Step {
        name: "chaos",
        about: "the gateway under load with faults: disk, log, descriptors, clients, signals, clock, receivers, database",
        tier: Tier::All,
        after: &["build"],
        locks: &["debug"],
        tools: &["cc", "postgresql", "faketime"],
        paths: &["core", "service"],
        run: Run::Executables(Which::Chaos),
    },
    Step {
        name: "failover",
        about: "three gateways while the primary of their PostgreSQL cluster is killed, cut off, and paused",
        tier: Tier::All,
        after: &["build"],
        locks: &["debug"],
        tools: &failover::TOOLS,
        paths: &["core", "service"],
        run: Run::Executables(Which::Failover),
    },
    Step {
        name: "spark",
        about: "the Python package on two executors of Spark, the types of all its modules, and a short measurement",
        tier: Tier::All,
        after: &["bulk"],
        locks: &["debug"],
        tools: &[
            "python3",
            "python3-venv",
            "java",
            "pyarrow",
            "numpy",
            "duckdb",
            "polars",
            "pandas",
            "pyspark",
            "jsonschema_rs",
            "node",
            "mypy",
            "pyright",
        ],
        paths: BULK,
        run: Run::Counted(bulk::spark),
    },
    Step {
        name: "examples",
        about: "programs in C, C++, Python, Go, PHP, and Java, and their packages: unit tests, all vectors",
        tier: Tier::All,
        after: &["c-library"],
        locks: &["release"],
        tools: &[
            "cc",
            "c++",
            "make",
            "cmake",
            "binutils",
            "pkg-config",
            "python3",
            "go",
            "php",
            "java",
            "jna",
        ],
        paths: &[
            "core",
            "ffi",
            "include",
            "bindings",
            "examples",
            "tests/vectors",
        ],
        run: Run::Counted(examples::check),
    },
    Step {
        name: "cli",
        about: "static binaries with all optimizations, with and without the sandbox, for x86-64 and ARM64",
        tier: Tier::Release,
        after: &["npm", "c-library"],
        locks: &["dist", "node"],
        tools: cli::TOOLS,
        paths: CLI,
        run: Run::Checks(&[("static binaries", cli::check)]),
    },
    Step {
        name: "dist",
        about: "the same with all optimizations, on every platform, and in addition the sdist, Deno, and Bun",
        tier: Tier::Release,
        after: &["npm", "c-library"],
        locks: &["dist", "node"],
        tools: dist::TOOLS,
        paths: DIST,
        run: Run::Counted(dist::check),
    },
    Step {
        name: "model",
        about: "generated bodies in the library and in the model in Python, mutated ones in the library and the page's module",
        tier: Tier::All,
        after: &["c-library", "npm"],
        locks: &["release", "node"],
        tools: &["python3", "binutils", "wasm32", "rust-src", "node"],
        paths: &["core", "ffi", "tests/model", "wasm"],
        run: Run::Counted(model::check),
    },
    Step {
        name: "docs",
        about: "the documentation builds without warnings: rustdoc, as on docs.rs, Doxygen, docstrings, TypeDoc",
        tier: Tier::All,
        after: &["lints"],
        locks: &["debug"],
        tools: &["cc", "doxygen", "python3", "python3-venv", "ruff", "node"],
        paths: &[
            "cli",
            "core",
            "docs/tools",
            "ffi",
            "include",
            "wasm/src",
            "wasm/types",
            "bindings/python",
            "service/gateway",
            "tests",
            "xtask",
        ],
        run: Run::Checks(&[
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
        tier: Tier::All,
        after: &["build", "npm", "lints", "c-library"],
        locks: &["debug", "release", "node"],
        tools: &[
            "mdbook",
            "typos",
            "wasm32",
            "rust-src",
            "node",
            "chromium",
            "python3",
            "python3-venv",
            "php",
            "composer",
            "go",
            "java",
            "jna",
            "pkg-config",
            "binutils",
            "curl",
            "sqlite3",
            "cc",
        ],
        paths: &[],
        run: Run::Counted(docs::check),
    },
    Step {
        name: "lints-all",
        about: "clippy on all members and on the core without features, and the unit tests of the latter",
        tier: Tier::All,
        after: &["lints"],
        locks: &["debug"],
        tools: &["clippy", "cc"],
        paths: RUST,
        run: Run::Checks(&[
            ("all members", || {
                runners::cargo(&[
                    "clippy",
                    "--locked",
                    "--workspace",
                    "--all-targets",
                    "--",
                    "-D",
                    "warnings",
                ])
            }),
            ("the core without features", || {
                runners::cargo(&[
                    "clippy",
                    "--locked",
                    "--package",
                    "payspec",
                    "--no-default-features",
                    "--",
                    "-D",
                    "warnings",
                ])
            }),
            ("the core without features compiles", || {
                runners::cargo(&[
                    "build",
                    "--locked",
                    "--package",
                    "payspec",
                    "--no-default-features",
                ])
            }),
            ("the unit tests of the core without features", || {
                runners::cargo(&[
                    "test",
                    "--locked",
                    "--package",
                    "payspec",
                    "--lib",
                    "--no-default-features",
                ])
            }),
        ]),
    },
    Step {
        name: "api",
        about: "the public items of the crate payspec match tests/data/public-api.txt, and its features are additive",
        tier: Tier::All,
        after: &[],
        locks: &["api"],
        tools: &[],
        paths: &["core", "tests/data/public-api.txt"],
        run: Run::Counted(api::check),
    },
    Step {
        name: "msrv",
        about: "the libraries compile with the oldest Rust that Cargo.toml states",
        tier: Tier::All,
        after: &[],
        locks: &["msrv"],
        tools: &["rust-oldest"],
        paths: &["core", "ffi"],
        run: Run::Counted(msrv::check),
    },
    Step {
        name: "deny",
        about: "licenses, bans and sources of dependencies",
        tier: Tier::All,
        after: &[],
        locks: &[],
        tools: &[],
        paths: &[
            "Cargo.lock",
            "deny.toml",
            "wasm/package-lock.json",
            "tests/bench/node/package-lock.json",
            "tests/fuzz/libfuzzer",
        ],
        run: Run::Counted(deny::check),
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
            assert!(
                STEPS[..index].iter().all(|other| other.name != step.name),
                "{} twice",
                step.name
            );
            for after in step.after {
                // Earlier in the table, so that no steps wait for each other.
                assert!(
                    STEPS[..index].iter().any(|other| other.name == *after),
                    "{}: no step {after}",
                    step.name
                );
            }
            for name in step.tools {
                assert!(
                    TOOLS.iter().any(|tool| tool.name == *name),
                    "{}: no tool {name}",
                    step.name
                );
            }
        }
    }

    /// A step of the usual tier must not depend on one that only runs with `--all`.
    #[test]
    fn depends_on_usual_steps_only_in_usual_steps() {
        for step in STEPS.iter().filter(|step| step.tier == Tier::Usual) {
            assert!(
                step.after
                    .iter()
                    .all(|name| super::step(name).is_some_and(|other| other.tier == Tier::Usual))
            );
        }
    }

    #[test]
    fn lists_existing_paths() {
        for path in STEPS.iter().flat_map(|step| step.paths) {
            assert!(payspec_support::root().join(path).exists(), "{path}");
        }
    }

    #[test]
    fn names_each_tool_once() {
        for (index, tool) in TOOLS.iter().enumerate() {
            let is_new = TOOLS[..index].iter().all(|other| other.name != tool.name);
            assert!(is_new, "{} twice", tool.name);
        }
    }

    /// A tool that no step and no measurement needs would be installed without a reason.
    #[test]
    fn needs_every_tool() {
        for tool in TOOLS {
            let is_needed = STEPS.iter().any(|step| step.tools.contains(&tool.name));
            assert!(
                is_needed || load::TOOLS.contains(&tool.name),
                "{}",
                tool.name
            );
        }
    }
}
