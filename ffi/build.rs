//! Sets the SONAME of the shared library, which cargo does not.

#[path = "src/abi.rs"]
#[expect(dead_code, reason = "the library uses the numbers")]
mod abi;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // cargo-c sets the SONAME itself, by `version_suffix_components` in Cargo.toml.
    if std::env::var_os("CARGO_FEATURE_CAPI").is_some() {
        return;
    }
    let suffix = abi::SONAME_SUFFIX;
    match std::env::var("CARGO_CFG_TARGET_OS")
        .unwrap_or_default()
        .as_str()
    {
        "windows" => {}
        "macos" => {
            let name = format!("@rpath/libpayspec.{suffix}.dylib");
            // Without a compiler as driver, the linker reads its own arguments.
            let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
            if flags.contains("linker-flavor=ld64.lld") {
                println!("cargo::rustc-cdylib-link-arg=-install_name");
                println!("cargo::rustc-cdylib-link-arg={name}");
            } else {
                println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,{name}");
            }
        }
        _ => println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libpayspec.so.{suffix}"),
    }
}
