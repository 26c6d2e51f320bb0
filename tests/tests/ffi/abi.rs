//! The ABI: the header and both libraries agree with `tests/c/abi.c`, and that file is complete.
//! `symbols` and `cargo xtask header --check` compare the header with the exports of the sources.

use crate::header::{functions, macros};
use crate::{prefix, read};
use payspec_tests::c::{self, Linkage, WARNINGS};
use std::process::Command;

#[test]
fn libraries_have_every_function_of_the_abi() {
    for linkage in [Linkage::Shared, Linkage::Static] {
        c::run_checked(&mut Command::new(prefix().compile("abi.c", linkage)));
    }
}

/// Checks other word sizes and rules of alignment. The header includes no system headers, so it
/// compiles for other systems.
#[test]
fn layouts_are_equal_on_other_machines() {
    let targets = [
        "i686-linux-gnu",
        "aarch64-linux-gnu",
        "riscv32-linux-gnu",
        "x86_64-pc-windows-msvc",
        "wasm32",
    ];
    for target in targets {
        let mut clang = Command::new(c::tool("clang", "clang"));
        clang
            .args([
                &format!("--target={target}"),
                "-std=c11",
                "-ffreestanding",
                "-fsyntax-only",
            ])
            .args(WARNINGS);
        c::run_checked(clang.arg(prefix().include()).arg(c::folder().join("abi.c")));
    }
}

#[test]
fn lists_every_function_of_the_header() {
    let text = read("tests/c/abi.c")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let missing = |name: &str| {
        format!(
            "tests/c/abi.c does not contain {name}: new declarations of the header are part of the ABI from now on"
        )
    };
    for function in functions() {
        assert!(
            text.contains(&format!("{};", function.declaration)),
            "{}",
            missing(&function.declaration)
        );
        assert!(
            text.contains(&format!("FUNCTION({}),", function.name)),
            "{}",
            missing(&function.name)
        );
    }
    for (name, value) in macros() {
        // The version may change without the ABI.
        if !name.starts_with("PAYSPEC_VERSION") {
            assert!(
                text.contains(&format!("HOLDS({name} == {value});")),
                "{}",
                missing(&name)
            );
        }
    }
    // The compiler reports declarations that are missing in the header. Its one structure with
    // members:
    assert_eq!(
        read("include/payspec.h")
            .matches("\ntypedef struct {")
            .count(),
        1,
        "a structure that abi.c does not check"
    );
}
