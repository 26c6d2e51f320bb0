//! The tools of the steps that build and check packages, separated by spaces.

macro_rules! quick {
    () => {
        "cc c++ cmake binutils binutils-aarch64 pkg-config python3 python3-venv go php composer java jna \
         aarch64-unknown-linux-gnu x86_64-unknown-linux-musl aarch64-unknown-linux-musl zig cargo-zigbuild setuptools \
         auditwheel twine mypy pyright wasm32 rust-src node skopeo iproute2 curl qemu-user"
    };
}

/// The tools for libraries, which every package contains.
pub(super) const LIBRARY_TOOLS: &str = "binutils binutils-aarch64 aarch64-unknown-linux-gnu x86_64-unknown-linux-musl \
                                        aarch64-unknown-linux-musl zig cargo-zigbuild";

/// The tools of the step `dist-quick`.
pub(crate) const QUICK_TOOLS: &str = quick!();

/// The tools of the step `dist`.
pub(crate) const TOOLS: &str = concat!(quick!(), " deno");
