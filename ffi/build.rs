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
        "macos" => println!(
            "cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libpayspec.{suffix}.dylib"
        ),
        _ => println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libpayspec.so.{suffix}"),
    }
}
