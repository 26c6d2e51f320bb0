//! The libraries export, the header declares and the sources mark for export the same set of
//! functions, and each of them is called through the panic guard. The linker protects the shared one.

use crate::header::functions;
use crate::{prefix, soname};
use payspec_tests::c::{self, Linkage};
use payspec_tests::root;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Returns the global names that a file defines.
fn defined(file: &Path, dynamic: bool) -> BTreeSet<String> {
    let mut nm = Command::new(c::tool("nm", "binutils"));
    nm.args(["--extern-only", "--defined-only", "--format=posix"])
        .args(dynamic.then_some("--dynamic"));
    let text = c::run_checked(nm.arg(file));
    text.lines()
        .filter(|line| !line.ends_with(':'))
        .filter_map(|line| Some(line.split_once(' ')?.0.to_owned()))
        .collect()
}

fn declared() -> BTreeSet<String> {
    functions()
        .into_iter()
        .map(|function| function.name)
        .collect()
}

#[test]
fn shared_library_exports_the_declared_functions() {
    assert_eq!(
        defined(&prefix().file("lib/libpayspec.so"), true),
        declared()
    );
}

#[test]
fn static_library_exports_the_declared_functions() {
    assert_eq!(
        defined(&prefix().file("lib/libpayspec.a"), false),
        declared()
    );
}

#[test]
fn shared_library_has_its_soname_and_usual_dependencies() {
    let mut objdump = Command::new(c::tool("objdump", "binutils"));
    let text = c::run_checked(objdump.arg("-p").arg(prefix().file("lib/libpayspec.so")));
    let entries = |kind: &str| {
        let lines = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix(kind));
        lines.map(|rest| rest.trim().to_owned()).collect::<Vec<_>>()
    };
    let soname = soname();
    assert_eq!(entries("SONAME"), [soname.as_str()]);
    for library in entries("NEEDED") {
        let usual = [
            "libc.so.",
            "libgcc_s.so.",
            "libm.so.",
            "libpthread.so.",
            "libdl.so.",
            "ld-linux",
        ];
        assert!(
            usual.iter().any(|name| library.starts_with(name)),
            "it needs {library}"
        );
    }
    // A program that is linked with the library requires this SONAME.
    let program = prefix().compile("header.c", Linkage::Shared);
    assert!(
        c::run_checked(
            Command::new(c::tool("objdump", "binutils"))
                .arg("-p")
                .arg(program)
        )
        .contains(&soname)
    );
}

/// Returns signature and body, without comments, of every `#[unsafe(no_mangle)]` in the sources.
fn exports() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for text in sources(&root().join("ffi/src")) {
        assert!(
            !text.contains("macro_rules!"),
            "macros must not define exports: cbindgen does not expand them"
        );
        for part in text.split("#[unsafe(no_mangle)]").skip(1) {
            let (signature, rest) = part.split_once("{\n").unwrap();
            let body = rest.split("\n}").next().unwrap();
            let code: Vec<&str> = body
                .lines()
                .map(str::trim)
                .filter(|line| !line.starts_with("//"))
                .collect();
            found.push((
                signature.split_whitespace().collect::<Vec<_>>().join(" "),
                code.join("\n"),
            ));
        }
    }
    found
}

fn sources(folder: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts.extend(sources(&path));
        } else {
            texts.push(fs::read_to_string(&path).unwrap());
        }
    }
    texts
}

#[test]
fn exports_are_declared_and_guarded() {
    let exports = exports();
    let mut names = BTreeSet::new();
    for (signature, body) in &exports {
        let (kind, rest) = signature.split_once(" fn ").unwrap();
        let name = rest.split('(').next().unwrap();
        assert!(
            ["pub unsafe extern \"C\"", "pub extern \"C\""].contains(&kind),
            "{name} is {kind}"
        );
        // The whole body is in the guard.
        assert!(
            body.starts_with("guard(||"),
            "{name} begins outside the guard: {body}"
        );
        let depths = body.chars().scan(0_i32, |depth, character| {
            *depth += match character {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            Some(*depth)
        });
        let end = depths
            .skip("guard(".len() - 1)
            .position(|depth| depth == 0)
            .unwrap()
            + "guard(".len();
        assert!(
            ["", ";"].contains(&body.chars().skip(end).collect::<String>().as_str()),
            "{name} ends outside the guard"
        );
        names.insert(name.to_owned());
    }
    assert_eq!(names.len(), exports.len());
    assert_eq!(names, declared());
}

/// Returns which protections a shared library lacks.
fn missing_protections(library: &Path) -> Vec<&'static str> {
    let mut readelf = Command::new(c::tool("readelf", "binutils"));
    let text = c::run_checked(
        readelf
            .args(["--wide", "--segments", "--dynamic"])
            .arg(library),
    );
    // `GNU_STACK  0x000000 0x0000000000000000 0x0000000000000000 0x000000 0x000000 RW  0`
    let segment = |name: &str| {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
        let mut lines = text.lines().map(words);
        lines.find(|words: &Vec<String>| words.first().is_some_and(|word| word == name))
    };
    let is_stack_data =
        segment("GNU_STACK").is_some_and(|words| !words[6..].join("").contains('E'));
    let binds_now = text.lines().any(|line| {
        line.contains("(BIND_NOW)")
            || line.contains("(FLAGS)") && line.contains("BIND_NOW")
            || line.contains("(FLAGS_1)") && line.contains("NOW")
    });
    [
        ("RELRO", segment("GNU_RELRO").is_some()),
        ("BIND_NOW", binds_now),
        ("a stack without code", is_stack_data),
    ]
    .into_iter()
    .filter(|(_, is_present)| !is_present)
    .map(|(name, _)| name)
    .collect()
}

#[test]
fn shared_library_protects_its_tables_and_the_stack() {
    let library = prefix().file("lib/libpayspec.so");
    assert_eq!(missing_protections(&library), [] as [&str; 0]);
    // The check finds a library without them.
    let weak = prefix().file("weak.so");
    let mut cc = Command::new(c::tool("cc", "gcc"));
    cc.args(["-shared", "-fPIC", "-Wl,-z,norelro,-z,lazy,-z,execstack"])
        .arg(prefix().include())
        .arg(c::folder().join("overread.c"));
    c::run_checked(cc.arg("-o").arg(&weak));
    assert_eq!(
        missing_protections(&weak),
        ["RELRO", "BIND_NOW", "a stack without code"]
    );
}
