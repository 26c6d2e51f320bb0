//! The tools that build and check packages.

macro_rules! with {
    ($($more:literal),*) => {
        &[
            "cc",
            "c++",
            "cmake",
            "binutils",
            "pkg-config",
            "python3",
            "python3-venv",
            "go",
            "php",
            "composer",
            "java",
            "jna",
            "x86_64-unknown-linux-musl",
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
            $($more),*
        ]
    };
}

/// The tools that build the libraries of this processor, which all packages contain.
pub(super) const LIBRARY_TOOLS: &[&str] = &["binutils", "x86_64-unknown-linux-musl", "zig", "cargo-zigbuild"];

/// The additional tools that build the libraries of the other processor.
pub(super) const OTHER_LIBRARY_TOOLS: &[&str] =
    &["binutils-aarch64", "aarch64-unknown-linux-gnu", "aarch64-unknown-linux-musl"];

/// The tools that build and check the packages of this processor.
pub(crate) const QUICK_TOOLS: &[&str] = with![];

/// The tools that build and check all packages.
pub(crate) const TOOLS: &[&str] = with![
    "binutils-aarch64",
    "aarch64-unknown-linux-gnu",
    "aarch64-unknown-linux-musl",
    "qemu-user",
    "conan",
    "deno",
    "cmakelang"
];
