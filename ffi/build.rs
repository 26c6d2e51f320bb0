//! Gives the shared library its name for the dynamic linker: cargo sets none. It ends in the ABI's number.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name| std::env::var(name).unwrap_or_default();
    // cargo-c passes a name of its own.
    if std::env::var_os("CARGO_FEATURE_CAPI").is_some() {
        return;
    }
    let abi = variable("CARGO_PKG_VERSION_MAJOR");
    match variable("CARGO_CFG_TARGET_OS").as_str() {
        "windows" => {}
        "macos" => println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libpayspec.{abi}.dylib"),
        _ => println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libpayspec.so.{abi}"),
    }
}
