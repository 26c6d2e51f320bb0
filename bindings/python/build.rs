//! On macOS, the linker must accept the symbols of Python, which the interpreter defines.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
