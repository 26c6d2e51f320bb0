//! Invalid arguments, threads and memory of the C library: plain, under valgrind, under AddressSanitizer, and over an
//! allocator that catches foreign memory. Each of them must first catch a program that is wrong.

// Valgrind and the names of shared libraries are those of Linux.
#![cfg(target_os = "linux")]

use payspec_tests::c::{self, Linkage, Prefix};
use payspec_tests::{cargo, root};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

const SIGABRT: i32 = 6;

/// Where these tests may write.
fn scratch() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// One installation for all of them.
fn prefix() -> &'static Prefix {
    static PREFIX: OnceLock<Prefix> = OnceLock::new();
    PREFIX.get_or_init(|| Prefix::new(scratch(), "ffi-memory"))
}

#[test]
fn misuse_is_told_and_crashes_nothing() {
    for linkage in [Linkage::Shared, Linkage::Static] {
        c::must(&mut Command::new(prefix().compile("misuse.c", linkage)));
    }
}

#[test]
fn a_million_calls_of_eight_threads_share_one_engine() {
    for linkage in [Linkage::Shared, Linkage::Static] {
        c::must(&mut Command::new(prefix().compile("threads.c", linkage)));
    }
}

/// The stack of each call is the program's own memory, and looked through.
#[test]
fn calls_leave_no_card_number_on_the_stack() {
    for linkage in [Linkage::Shared, Linkage::Static] {
        // A symbol that is looked up at its first call saves the registers, and what strlen has read of the body with them.
        c::must(Command::new(prefix().compile("stack.c", linkage)).env("LD_BIND_NOW", "1"));
    }
}

/// P3 of the figures, counted in C: the allocator's functions stand in the program itself.
#[test]
fn a_valid_body_and_a_warm_buffer_allocate_nothing() {
    let mut bodies: Vec<PathBuf> =
        fs::read_dir(root().join("tests/bench/corpus/valid")).unwrap().map(|entry| entry.unwrap().path()).collect();
    bodies.sort();
    assert!(bodies.len() >= 8);
    for linkage in [Linkage::Shared, Linkage::Static] {
        c::must(Command::new(prefix().compile("allocations.c", linkage)).args(&bodies));
    }
}

fn valgrind(program: &Path) -> Command {
    let mut command = Command::new(c::tool("valgrind", "valgrind"));
    command.args(["-q", "--error-exitcode=99", "--leak-check=full", "--show-leak-kinds=all"]);
    command.arg("--errors-for-leak-kinds=all").arg(program);
    command
}

#[test]
fn valgrind_sees_a_lie_about_a_length() {
    let output = c::run(&mut valgrind(&prefix().compile("overread.c", Linkage::Shared)));
    assert_eq!(output.status.code(), Some(99), "{}", c::said(&output));
}

#[test]
fn misuse_is_clean_under_valgrind() {
    c::must(&mut valgrind(&prefix().compile("misuse.c", Linkage::Shared)));
}

#[test]
fn the_million_calls_are_clean_under_valgrind() {
    c::must(&mut valgrind(&prefix().compile("threads.c", Linkage::Shared)));
}

/// C and Rust both instrumented.
fn sanitized(source: &str) -> PathBuf {
    let program = prefix().file(&format!("{source}-sanitized"));
    let mut cc = Command::new(c::tool("gcc", "gcc"));
    cc.args(["-std=c11", "-g", "-pthread", "-fsanitize=address", &prefix().include()]).arg(c::folder().join(source));
    c::must(cc.arg(c::sanitized(scratch())).args(["-ldl", "-lm", "-o"]).arg(&program));
    program
}

#[test]
fn the_sanitizer_is_linked_in_and_at_work() {
    // The library's own objects report to it,
    let library = c::sanitized(scratch());
    let asked = c::must(Command::new(c::tool("nm", "binutils")).args(["--undefined-only", "--quiet"]).arg(&library));
    assert!(asked.contains("__asan_report_load"), "libpayspec.a was built without the sanitizer");
    // it is there,
    let program = sanitized("overread.c");
    let has = c::must(Command::new(c::tool("nm", "binutils")).arg(&program));
    assert!(has.contains("__asan_init"), "the program was linked without the sanitizer");
    // and it sees what Rust reads of memory that C has allocated.
    let output = c::run(&mut Command::new(&program));
    let text = c::said(&output);
    assert!(!output.status.success() && text.contains("AddressSanitizer: heap-buffer-overflow"), "{text}");
    assert!(text.contains("payspec"), "the report names no function of the library:\n{text}");
}

#[test]
fn misuse_is_clean_under_the_sanitizer() {
    c::must(&mut Command::new(sanitized("misuse.c")));
}

#[test]
fn the_million_calls_are_clean_under_the_sanitizer() {
    c::must(&mut Command::new(sanitized("threads.c")));
}

/// The same sources over an allocator that catches foreign memory: `tests/c/checked`.
fn checked(source: &str) -> PathBuf {
    let folder = scratch().join("checked");
    let mut build = cargo();
    build.args(["build", "--quiet", "--locked", "--release", "--package", "payspec-checked-ffi", "--target-dir"]);
    c::must(build.arg(&folder));
    let library = folder.join("release").display().to_string();
    let program = prefix().file(&format!("{source}-checked"));
    let mut cc = Command::new(c::tool("gcc", "gcc"));
    cc.args(["-std=c11", "-g", "-pthread", &Prefix::include(prefix())])
        .arg(c::folder().join(source))
        .arg("-o")
        .arg(&program);
    c::must(cc.args([&format!("-L{library}"), "-lpayspec_checked", &format!("-Wl,-rpath,{library}")]));
    program
}

fn crime(program: &Path, name: &str) -> Output {
    c::run(Command::new(program).arg(name))
}

#[test]
fn foreign_memory_is_caught_and_honest_programs_are_not() {
    let program = checked("foreign.c");
    assert!(crime(&program, "none").status.success(), "{}", c::said(&crime(&program, "none")));
    for (name, said) in [
        ("free", "free"), // by the C library itself
        ("buffer", "payspec-checked: foreign memory"),
        ("capacity", "payspec-checked: memory of another size"),
        ("twice", "payspec-checked: memory freed twice"),
    ] {
        let output = crime(&program, name);
        assert_eq!(output.status.signal(), Some(SIGABRT), "{name}: {}", c::said(&output));
        assert!(c::said(&output).contains(said), "{name}: {}", c::said(&output));
    }
    c::must(&mut Command::new(checked("misuse.c")));
    c::must(&mut Command::new(checked("threads.c")));
}
