//! Tests invalid arguments, threads, and memory of the C library: directly, under valgrind, with
//! AddressSanitizer, and with an allocator that detects foreign memory. Each tool must first detect
//! an incorrect program.

// The tests use valgrind and the Linux names of shared libraries.
#![cfg(target_os = "linux")]

use payspec_tests::c::{self, Linkage, Prefix};
use payspec_tests::{cargo, root};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

const SIGABRT: i32 = 6;

/// Returns the folder for temporary files.
fn scratch() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Returns the installation that all tests share.
fn prefix() -> &'static Prefix {
    static PREFIX: OnceLock<Prefix> = OnceLock::new();
    PREFIX.get_or_init(|| Prefix::new(scratch(), "ffi-memory"))
}

#[test]
fn reports_invalid_arguments_without_a_crash() {
    for linkage in [Linkage::Shared, Linkage::Static] {
        c::run_checked(&mut Command::new(
            prefix().compile("invalid_arguments.c", linkage),
        ));
        for source in ["batch.c", "overlaps.c"] {
            c::run_checked(&mut Command::new(prefix().compile(source, linkage)));
        }
    }
}

#[test]
fn shares_one_engine_between_eight_threads() {
    for linkage in [Linkage::Shared, Linkage::Static] {
        c::run_checked(&mut Command::new(prefix().compile("threads.c", linkage)));
    }
}

/// Checks P3 of the targets in C: the program replaces the functions of the allocator.
#[test]
fn allocates_nothing_for_a_valid_body_and_a_large_buffer() {
    let mut bodies: Vec<PathBuf> = fs::read_dir(root().join("tests/bench/corpus/valid"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    bodies.sort();
    assert!(bodies.len() >= 8);
    for linkage in [Linkage::Shared, Linkage::Static] {
        c::run_checked(Command::new(prefix().compile("allocations.c", linkage)).args(&bodies));
    }
}

/// The program replaces the functions of the allocator, and counts the bytes that are not freed.
#[test]
fn three_thousand_engines_leave_no_memory() {
    for linkage in [Linkage::Shared, Linkage::Static] {
        c::run_checked(&mut Command::new(prefix().compile("engines.c", linkage)));
    }
}

fn valgrind(program: &Path) -> Command {
    let mut command = Command::new(c::tool("valgrind", "valgrind"));
    command.args([
        "-q",
        "--error-exitcode=99",
        "--leak-check=full",
        "--show-leak-kinds=all",
    ]);
    command.arg("--errors-for-leak-kinds=all").arg(program);
    command
}

#[test]
fn detects_a_wrong_length_under_valgrind() {
    let output = c::run(&mut valgrind(
        &prefix().compile("overread.c", Linkage::Shared),
    ));
    assert_eq!(output.status.code(), Some(99), "{}", c::printed(&output));
}

#[test]
fn reports_invalid_arguments_under_valgrind() {
    c::run_checked(&mut valgrind(
        &prefix().compile("invalid_arguments.c", Linkage::Shared),
    ));
    for source in ["batch.c", "overlaps.c"] {
        c::run_checked(&mut valgrind(&prefix().compile(source, Linkage::Shared)));
    }
}

#[test]
fn shares_one_engine_under_valgrind() {
    c::run_checked(&mut valgrind(
        &prefix().compile("threads.c", Linkage::Shared),
    ));
}

/// Compiles a C program with AddressSanitizer and links it with the instrumented library.
fn sanitized(source: &str) -> PathBuf {
    let program = prefix().file(&format!("{source}-sanitized"));
    let mut cc = Command::new(c::tool("gcc", "gcc"));
    cc.args([
        "-std=c11",
        "-g",
        "-pthread",
        "-fsanitize=address",
        &prefix().include(),
    ])
    .arg(c::folder().join(source));
    c::run_checked(
        cc.arg(c::sanitized(scratch()))
            .args(["-ldl", "-lm", "-o"])
            .arg(&program),
    );
    program
}

#[test]
fn detects_errors_under_the_sanitizer() {
    // The objects of the library call the sanitizer.
    let library = c::sanitized(scratch());
    let undefined = c::run_checked(
        Command::new(c::tool("nm", "binutils"))
            .args(["--undefined-only", "--quiet"])
            .arg(&library),
    );
    assert!(
        undefined.contains("__asan_report_load"),
        "libpayspec.a was built without the sanitizer"
    );
    // The program contains the sanitizer.
    let program = sanitized("overread.c");
    let symbols = c::run_checked(Command::new(c::tool("nm", "binutils")).arg(&program));
    assert!(
        symbols.contains("__asan_init"),
        "the program was linked without the sanitizer"
    );
    // The sanitizer detects that Rust reads after the end of memory that C has allocated.
    let output = c::run(&mut Command::new(&program));
    let text = c::printed(&output);
    assert!(
        !output.status.success() && text.contains("AddressSanitizer: heap-buffer-overflow"),
        "{text}"
    );
    assert!(
        text.contains("payspec"),
        "the report does not contain a function of the library:\n{text}"
    );
}

#[test]
fn reports_invalid_arguments_under_the_sanitizer() {
    c::run_checked(&mut Command::new(sanitized("invalid_arguments.c")));
    c::run_checked(&mut Command::new(sanitized("batch.c")));
    c::run_checked(&mut Command::new(sanitized("overlaps.c")));
}

#[test]
fn shares_one_engine_under_the_sanitizer() {
    c::run_checked(&mut Command::new(sanitized("threads.c")));
}

/// Compiles a C program with an allocator that detects foreign memory: `tests/c/checked`.
fn checked(source: &str) -> PathBuf {
    let folder = scratch().join("checked");
    let mut build = cargo();
    build.args([
        "build",
        "--quiet",
        "--locked",
        "--profile=quick",
        "--package",
        "payspec-checked-ffi",
        "--target-dir",
    ]);
    c::run_checked(build.arg(&folder));
    let library = folder.join("quick").display().to_string();
    let program = prefix().file(&format!("{source}-checked"));
    let mut cc = Command::new(c::tool("gcc", "gcc"));
    cc.args(["-std=c11", "-g", "-pthread", &Prefix::include(prefix())])
        .arg(c::folder().join(source))
        .arg("-o")
        .arg(&program);
    c::run_checked(cc.args([
        &format!("-L{library}"),
        "-lpayspec_checked",
        &format!("-Wl,-rpath,{library}"),
    ]));
    program
}

fn run_incorrect(program: &Path, name: &str) -> Output {
    c::run(Command::new(program).arg(name))
}

#[test]
fn detects_foreign_memory_and_accepts_correct_programs() {
    let program = checked("foreign.c");
    assert!(
        run_incorrect(&program, "none").status.success(),
        "{}",
        c::printed(&run_incorrect(&program, "none"))
    );
    for (name, message) in [
        ("free", "free"), // detected by the C library
        ("buffer", "payspec-checked: foreign memory"),
        ("capacity", "payspec-checked: memory of another size"),
        ("twice", "payspec-checked: memory freed twice"),
    ] {
        let output = run_incorrect(&program, name);
        assert_eq!(
            output.status.signal(),
            Some(SIGABRT),
            "{name}: {}",
            c::printed(&output)
        );
        assert!(
            c::printed(&output).contains(message),
            "{name}: {}",
            c::printed(&output)
        );
    }
    c::run_checked(&mut Command::new(checked("invalid_arguments.c")));
    c::run_checked(&mut Command::new(checked("batch.c")));
    c::run_checked(&mut Command::new(checked("overlaps.c")));
    c::run_checked(&mut Command::new(checked("threads.c")));
}
