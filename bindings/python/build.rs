//! On macOS, the linker must accept the symbols of Python, which the interpreter defines. Without an
//! install name, the module would contain the path of its build.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    pyo3_build_config::add_extension_module_link_args();
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "macos") {
        // A compiler as driver and the linker itself accept these words.
        for word in ["-install_name", "@rpath/_native.abi3.so"] {
            println!("cargo::rustc-cdylib-link-arg={word}");
        }
    }
}
