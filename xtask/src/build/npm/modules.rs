//! The WebAssembly modules of the package.

/// A WebAssembly module of the package.
pub(super) struct Module {
    pub(super) name: &'static str,
    /// The crate.
    pub(super) package: &'static str,
    /// Whether the crate uses wasm-bindgen, which generates glue.
    pub(super) has_glue: bool,
    pub(super) profile: &'static str,
    pub(super) flags: &'static [&'static str],
}

impl Module {
    /// Returns the name of the file that the compiler writes.
    pub(super) fn file(&self) -> String {
        format!("{}.wasm", self.package.replace('-', "_"))
    }
}

pub(super) const MODULES: [Module; 2] = [
    Module {
        name: "all",
        package: "payspec-wasm",
        has_glue: true,
        profile: "wasm",
        flags: &["-Ctarget-feature=+simd128"],
    },
    // JavaScript clears the stack after each call, so it is smaller than the default of 1 MB.
    Module {
        name: "checkout",
        package: "payspec-wasm-page",
        has_glue: false,
        profile: "wasm-page",
        flags: &["-Ctarget-feature=+simd128", "-Clink-arg=-zstack-size=65536"],
    },
];

/// The output of the compiler, stored beside the finished module.
pub(super) const COMPILED: &str = "compiled.wasm";

#[cfg(test)]
mod tests {
    use super::MODULES;

    /// The JavaScript of the package clears the stack.
    #[test]
    fn stack_of_pages_has_the_size_in_page_glue_js() {
        let text =
            std::fs::read_to_string(payspec_support::root().join("wasm/js/page_glue.js")).unwrap();
        let size = text
            .lines()
            .find_map(|line| line.strip_prefix("const STACK_END = "))
            .unwrap()
            .trim_end_matches(';');
        let flag = format!("-Clink-arg=-zstack-size={size}");
        assert!(
            MODULES
                .iter()
                .any(|module| !module.has_glue && module.flags.contains(&flag.as_str()))
        );
    }
}
