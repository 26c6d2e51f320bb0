//! Checks `include/payspec.h`: its declarations, their documentation, and that compilers accept it
//! without a warning. `cargo xtask header --check` compares it with the sources.

use crate::{prefix, read, scratch};
use payspec::operations::OPERATIONS;
use payspec_tests::c::{self, WARNINGS};
use std::collections::BTreeSet;
use std::process::Command;

/// A function of the header: the comment before it, and the declaration on one line.
pub(crate) struct Function {
    comment: String,
    pub(crate) name: String,
    pub(crate) declaration: String,
}

pub(crate) fn functions() -> Vec<Function> {
    let text = read("include/payspec.h");
    let blocks = text
        .split("\n/**\n")
        .skip(1)
        .filter_map(|block| block.split_once("*/\n"));
    let functions = blocks.filter_map(|(comment, code)| {
        let declaration = code
            .split_once(';')?
            .0
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let name = declaration
            .split_once('(')?
            .0
            .rsplit([' ', '*'])
            .next()?
            .to_owned();
        let comment = comment
            .lines()
            .map(|line| line.trim_start_matches([' ', '*']))
            .collect::<Vec<_>>()
            .join("\n");
        name.starts_with("payspec_").then_some(Function {
            comment,
            name,
            declaration,
        })
    });
    functions.collect()
}

/// The macros with a value.
pub(crate) fn macros() -> Vec<(String, String)> {
    let text = read("include/payspec.h");
    let defines = text
        .lines()
        .filter_map(|line| line.strip_prefix("#define ")?.split_once(' '));
    defines
        .map(|(name, value)| {
            (
                name.to_owned(),
                value.trim_matches(['(', ')', '"']).to_owned(),
            )
        })
        .collect()
}

fn value(name: &str) -> String {
    let found = macros().into_iter().find(|(other, _)| other == name);
    found
        .unwrap_or_else(|| panic!("the header has no {name}"))
        .1
}

#[test]
fn defines_the_version_of_cargo_toml() {
    let text = read("Cargo.toml");
    let version = text
        .lines()
        .find_map(|line| line.strip_prefix("version = "))
        .unwrap()
        .trim_matches('"');
    assert_eq!(value("PAYSPEC_VERSION"), version);
    let parts = ["MAJOR", "MINOR", "PATCH"].map(|part| value(&format!("PAYSPEC_VERSION_{part}")));
    assert_eq!(parts.join("."), version);
    let [major, minor, patch] = parts.map(|part| part.parse::<u32>().unwrap());
    assert_eq!(
        value("PAYSPEC_VERSION_NUMBER"),
        (major * 1_000_000 + minor * 1000 + patch).to_string()
    );
    let abi = if major == 0 { minor } else { 100 * major };
    assert_eq!(value("PAYSPEC_ABI_VERSION"), abi.to_string());
}

/// Python and Java cannot read these values from the header.
#[test]
fn packages_have_the_same_version() {
    let python = read("bindings/python/pyproject.toml");
    assert!(
        python.contains(&format!("\nversion = \"{}\"\n", value("PAYSPEC_VERSION"))),
        "pyproject.toml"
    );
    let (abi, version) = (
        value("PAYSPEC_ABI_VERSION"),
        value("PAYSPEC_VERSION").trim_matches('"').to_owned(),
    );
    let library = read("bindings/python/payspec/_library.py");
    assert!(
        library.contains(&format!("\nVERSION = \"{version}\"\n")),
        "_library.py"
    );
    let java = read("bindings/java/src/main/java/payspec/NativeLibrary.java");
    assert!(
        java.contains(&format!(
            " ABI = {abi};\n    static final String VERSION = \"{version}\";"
        )),
        "NativeLibrary.java"
    );
    let go = read("examples/go/go.mod");
    assert!(go.contains(&format!("payspec v{version}\n")), "go.mod");
}

#[test]
fn defines_each_return_code_once() {
    for (name, number) in [
        ("ARGUMENT", "-1"),
        ("UTF8", "-2"),
        ("PANIC", "-3"),
        ("CONTEXT", "-4"),
        ("POLICY", "-5"),
    ] {
        assert_eq!(value(&format!("PAYSPEC_ERROR_{name}")), number);
    }
    assert_eq!(
        (
            value("PAYSPEC_ACCEPTED").as_str(),
            value("PAYSPEC_REJECTED").as_str()
        ),
        ("0", "1")
    );
    let returned = |name: &str| {
        name.contains("ERROR") || name.ends_with("ACCEPTED") || name.ends_with("REJECTED")
    };
    let numbers: Vec<String> = macros()
        .into_iter()
        .filter(|(name, _)| returned(name))
        .map(|(_, n)| n)
        .collect();
    assert_eq!(
        numbers.len(),
        7,
        "the numbers differ from those of this test"
    );
    assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), numbers.len());
}

#[test]
fn declares_every_operation_with_its_inputs_in_order() {
    let functions = functions();
    for operation in OPERATIONS {
        let inputs: String = operation
            .inputs
            .iter()
            .map(|input| format!("const char *{0}, size_t {0}_len, ", input.name))
            .collect();
        let expected = format!(
            "int32_t payspec_{}(const payspec_engine *engine, {inputs}payspec_buf *out)",
            operation.name
        );
        assert!(
            functions
                .iter()
                .any(|function| function.declaration == expected),
            "the header does not contain: {expected}"
        );
    }
    // The other functions: two for engines, one for buffers, one for batches, three for versions.
    assert_eq!(functions.len(), OPERATIONS.len() + 7);
}

#[test]
fn documents_every_function() {
    for Function {
        comment,
        name,
        declaration,
    } in functions()
    {
        let (returns, parameters) = declaration.split_once('(').unwrap();
        for parameter in parameters
            .trim_end_matches(')')
            .split(", ")
            .filter(|parameter| *parameter != "void")
        {
            let parameter = parameter.rsplit([' ', '*']).next().unwrap();
            assert!(
                comment.contains(&format!("@param {parameter} ")),
                "{name} does not document {parameter}"
            );
        }
        assert!(
            comment.contains("Threads:"),
            "{name} does not document threads"
        );
        assert!(
            returns.starts_with("void") || comment.contains("@return "),
            "{name} does not document its return value"
        );
        if returns.starts_with("int32_t") {
            for number in [
                "PAYSPEC_ACCEPTED",
                "PAYSPEC_ERROR_ARGUMENT",
                "PAYSPEC_ERROR_PANIC",
            ] {
                assert!(
                    comment.contains(number),
                    "{name} does not document {number}"
                );
            }
            assert!(comment.contains("until its next use"), "{name}: lifetime");
        } else {
            assert!(
                comment.contains("Errors: none"),
                "{name} does not document errors"
            );
        }
    }
}

#[test]
fn states_the_contract() {
    let text = read("include/payspec.h");
    let head = text.split("#ifndef").next().unwrap();
    for subject in [
        "NULL.",
        "Ownership.",
        "Threads.",
        "Fork",
        "Panics.",
        "Buffers.",
        "Returns.",
        "Inputs.",
    ] {
        assert!(
            head.contains(&format!("\n * {subject}")),
            "the head does not document: {subject}"
        );
    }
}

#[test]
fn compiles_without_a_warning() {
    let header = c::folder().join("header.c");
    for (family, package, cc, cpp) in [
        ("gcc", "gcc g++", "gcc", "g++"),
        ("clang", "clang", "clang", "clang++"),
    ] {
        for standard in ["c99", "c11", "c17"] {
            compile(
                Command::new(c::tool(cc, package))
                    .arg(format!("-std={standard}"))
                    .arg(&header),
            );
        }
        for standard in ["c++11", "c++17", "c++20"] {
            compile(
                Command::new(c::tool(cpp, package))
                    .arg(format!("-std={standard}"))
                    .args(["-x", "c++"])
                    .arg(&header),
            );
        }
        for standard in ["c++17", "c++20"] {
            let source = c::folder().join("header.cpp");
            compile(
                Command::new(c::tool(cpp, package))
                    .arg(format!("-std={standard}"))
                    .arg(&source),
            );
        }
        println!("{family}: C99, C11, C17, C++11, C++17, C++20");
    }
}

fn compile(command: &mut Command) {
    c::run_checked(command.args(WARNINGS).args([
        "-Wshadow",
        "-Wconversion",
        "-fsyntax-only",
        &prefix().include(),
    ]));
}

#[test]
fn c_plus_plus_header_works() {
    for cpp in ["g++", "clang++"] {
        let program = prefix().file(&format!("header-{cpp}"));
        let mut command = Command::new(c::tool(cpp, "g++ clang"));
        command
            .args(["-std=c++17", "-g", &prefix().include()])
            .args(WARNINGS)
            .arg(c::folder().join("header.cpp"));
        c::run_checked(
            command
                .arg("-o")
                .arg(&program)
                .args(prefix().link(c::Linkage::Shared)),
        );
        c::run_checked(
            Command::new(c::tool("valgrind", "valgrind"))
                .args(["-q", "--leak-check=full", "--error-exitcode=99"])
                .arg(&program),
        );
    }
}

#[test]
fn c_plus_plus_header_has_every_operation() {
    let text = read("include/payspec.hpp");
    for operation in OPERATIONS {
        assert!(
            text.contains(&format!("payspec_{}", operation.name)),
            "payspec.hpp does not contain {}",
            operation.name
        );
    }
}

/// The FFI of PHP and Python does not have a preprocessor.
#[test]
fn declarations_need_no_preprocessor() {
    let text = read("include/payspec.ffi.h");
    assert!(!text.contains('#'), "a directive of the preprocessor");
    for function in functions() {
        assert!(
            text.contains(&format!("{}(", function.name)),
            "the declarations do not contain {}",
            function.name
        );
    }
    let source = scratch().join("declarations.c");
    std::fs::write(
        &source,
        format!(
            "typedef __SIZE_TYPE__ size_t;\ntypedef signed char int8_t;\ntypedef int int32_t;\ntypedef long long int64_t;\n\
             typedef unsigned uint32_t;\n{text}"
        ),
    )
    .unwrap();
    c::run_checked(
        Command::new(c::tool("gcc", "gcc"))
            .args(["-std=c11", "-fsyntax-only"])
            .args(WARNINGS)
            .arg(&source),
    );
}
