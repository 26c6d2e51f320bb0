//! The tools of the steps `dist-quick` and `dist`. A test compares them with those of the packages
//! and of the checks.

macro_rules! with {
    ($($more:literal),*) => {
        &[
            "cc",
            "c++",
            "cmake",
            "binutils",
            "binutils-aarch64",
            "pkg-config",
            "python3",
            "python3-venv",
            "go",
            "php",
            "composer",
            "java",
            "jna",
            "aarch64-unknown-linux-gnu",
            "x86_64-unknown-linux-musl",
            "aarch64-unknown-linux-musl",
            "zig",
            "cargo-zigbuild",
            "setuptools",
            "auditwheel",
            "twine",
            "mypy",
            "pyright",
            "lintian",
            "wasm32",
            "rust-src",
            "node",
            "skopeo",
            "iproute2",
            "curl",
            "qemu-user",
            $($more),*
        ]
    };
}

/// The tools that build the libraries, which all packages contain.
pub(super) const LIBRARY_TOOLS: &[&str] = &[
    "binutils",
    "binutils-aarch64",
    "aarch64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "zig",
    "cargo-zigbuild",
];

/// The tools of a quick build and of its checks.
pub(crate) const QUICK_TOOLS: &[&str] = with![];

/// The tools that build and check all packages.
pub(crate) const TOOLS: &[&str] = with!["deno"];
