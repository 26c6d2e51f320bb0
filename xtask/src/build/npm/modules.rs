//! The WebAssembly modules of the package.

/// A WebAssembly module of the package.
pub(super) struct Module {
    pub(super) name: &'static str,
    pub(super) features: &'static [&'static str],
    /// The optimization level of the last crate and of link-time optimization.
    pub(super) optimization: &'static str,
    pub(super) flags: &'static [&'static str],
}

impl Module {
    /// Returns true for the module with wasm-bindgen, which the default features include.
    pub(super) fn has_glue(&self) -> bool {
        self.features.is_empty()
    }
}

pub(super) const MODULES: [Module; 2] = [
    // Compiled for size (see the profile), except the functions of a verdict, which are marked for
    // speed: a tenth smaller after compression than with all crates at level 2.
    Module {
        name: "all",
        features: &[],
        optimization: "2",
        flags: &[
            "-Ctarget-feature=+simd128",
            "--cfg=optimize_attribute",
            // Without rewritten loop counters and expressions that are computed early: 430 bytes
            // less after compression.
            "-Cllvm-args=-disable-lsr -enable-pre=false",
            // Calls are also inlined before LLVM, which rustc omits for size: a verdict takes 4 %
            // less time (P8), and 190 bytes are saved.
            "-Zinline-mir=yes",
        ],
    },
    // The stack needs some hundred bytes instead of the default of 1 MB, and JavaScript clears it
    // after each call. Loops that keep their conditions save 80 bytes after gzip.
    Module {
        name: "checkout",
        features: &["--no-default-features"],
        optimization: "z",
        flags: &["-Clink-arg=-zstack-size=4096", "-Cllvm-args=-disable-lftr"],
    },
];

/// The output of the compiler, stored beside the finished module.
pub(super) const COMPILED: &str = "compiled.wasm";

#[cfg(test)]
mod tests {
    use super::MODULES;

    /// The JavaScript of the package clears the stack.
    #[test]
    fn stack_of_pages_has_the_size_in_page_js() {
        let text = std::fs::read_to_string(payspec_tests::root().join("wasm/js/page.js")).unwrap();
        let size = text
            .lines()
            .find_map(|line| line.strip_prefix("const STACK = "))
            .unwrap()
            .trim_end_matches(';');
        let flag = format!("-Clink-arg=-zstack-size={size}");
        assert!(
            MODULES
                .iter()
                .any(|module| !module.has_glue() && module.flags.contains(&flag.as_str()))
        );
    }
}
