//! `cargo bench --bench c`: libpayspec through its C functions beside the same work called natively, in one interleaved
//! run; and P6, what the report costs over the verdict. The library is the one that `cargo build --release` makes, opened
//! as any program opens it.

use payspec_bench::corpus;
use payspec_bench::harness::{self, Contender, Figure, Work};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::PathBuf;
use std::process::Command;
use std::ptr::{null, null_mut};

const CALL: &str = "C: the call alone (payspec_abi_version)";
const NATIVE_VERDICT: &str = "native: verdict";
const NATIVE_REPORT: &str = "native: report";
const C_VERDICT: &str = "C: verdict (out NULL)";
const C_REPORT: &str = "C: report, warm buffer";

/// P6, in picoseconds: must be, should be.
const BOUNDS: (i64, i64) = (50_000, 25_000);

#[repr(C)]
struct Buf {
    data: *mut c_char,
    len: usize,
    cap: usize,
}

type AbiVersion = unsafe extern "C" fn() -> u32;
type EngineNew = unsafe extern "C" fn(*const c_char, usize, *mut *mut c_void, *mut Buf) -> i32;
type Validate = unsafe extern "C" fn(*const c_void, *const c_char, usize, *const c_char, usize, *mut Buf) -> i32;

unsafe extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

const RTLD_NOW: c_int = 2;

/// The functions, and an engine that lives as long as the program.
struct Library {
    abi_version: AbiVersion,
    validate: Validate,
    engine: *mut c_void,
}

impl Library {
    fn open() -> Library {
        let path = CString::new(built().into_os_string().into_encoded_bytes()).expect("a path holds no NUL");
        // SAFETY: a path that ends in NUL; loading the library runs no code of it.
        let library = unsafe { dlopen(path.as_ptr(), RTLD_NOW) };
        assert!(!library.is_null(), "{path:?} cannot be opened");
        let find = |name: &CStr| {
            // SAFETY: a library that is open, and a name that ends in NUL.
            let symbol = unsafe { dlsym(library, name.as_ptr()) };
            assert!(!symbol.is_null(), "the library has no {name:?}");
            symbol
        };
        // SAFETY: these are the types of the functions in include/payspec.h.
        let (abi_version, engine_new, validate) = unsafe {
            (
                std::mem::transmute::<*mut c_void, AbiVersion>(find(c"payspec_abi_version")),
                std::mem::transmute::<*mut c_void, EngineNew>(find(c"payspec_engine_new")),
                std::mem::transmute::<*mut c_void, Validate>(find(c"payspec_validate_request")),
            )
        };
        let mut engine = null_mut();
        // SAFETY: no policy, a place for the engine, no buffer.
        assert_eq!(unsafe { engine_new(null(), 0, &raw mut engine, null_mut()) }, 0);
        Library { abi_version, validate, engine }
    }

    /// Validates, into `out` where it is not NULL.
    fn validate(&self, body: &[u8], out: *mut Buf) -> i32 {
        // SAFETY: a living engine, a body with its length, no instant, and a buffer of the caller or none.
        unsafe { (self.validate)(self.engine, body.as_ptr().cast(), body.len(), null(), 0, out) }
    }
}

/// Builds the library as a release and asks cargo where it is.
fn built() -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--release", "--package", "payspec-ffi", "--message-format=json-render-diagnostics"]);
    let output = cargo.stderr(std::process::Stdio::inherit()).output().expect("cargo runs");
    assert!(output.status.success(), "cargo build: {}", output.status);
    let messages = output.stdout.split(|byte| *byte == b'\n');
    let files =
        messages.filter_map(|line| serde_json::from_slice::<serde_json::Value>(line).ok()).flat_map(|message| {
            message["filenames"]
                .as_array()
                .cloned()
                .unwrap_or_default()
                .into_iter()
                .filter_map(|file| Some(PathBuf::from(file.as_str()?)))
        });
    let names = ["libpayspec.so", "libpayspec.dylib"];
    let is_shared = |file: &PathBuf| names.iter().any(|name| file.file_name().is_some_and(|found| found == *name));
    { files }.find(is_shared).expect("cargo built the shared library")
}

fn main() {
    let (library, engine) = (Library::open(), payspec::Engine::default());
    let validate = payspec::json::operation("validate_request").expect("an operation of the contract");
    let mut out = Buf { data: null_mut(), len: 0, cap: 0 };
    let mut text = Vec::with_capacity(16 * 1024);
    let figures = harness::measure(vec![
        // SAFETY: a function without parameters.
        contender(CALL, Box::new(|_| unsafe { (library.abi_version)() } as usize)),
        contender(
            NATIVE_VERDICT,
            Box::new(|body| usize::from(validate.call(&engine, &[Some(body), None], None).is_ok())),
        ),
        contender(C_VERDICT, Box::new(|body| library.validate(body, null_mut()) as usize)),
        contender(
            NATIVE_REPORT,
            Box::new(|body| usize::from(validate.call(&engine, &[Some(body), None], Some(&mut text)).is_ok())),
        ),
        contender(C_REPORT, Box::new(|body| library.validate(body, &raw mut out) as usize)),
    ]);
    print(&figures);
}

fn contender<'a>(name: &'static str, work: Work<'a>) -> Contender<'a> {
    Contender { name, bodies: corpus::bytes(corpus::VALID), work }
}

fn print(figures: &[Figure]) {
    println!("\n{:<46} {:>9}", "a valid body, median of all rounds", "ns");
    for figure in figures {
        println!("{:<46} {:>9}", figure.name, Nanoseconds(figure.median() as i64));
    }
    let (verdict, report) = (named(figures, C_VERDICT), named(figures, C_REPORT));
    let more = difference(report, verdict);
    let (must, should) = BOUNDS;
    let word = match more {
        more if more > must => "NOT REACHED",
        more if more > should => "reached",
        _ => "reached, stretch too",
    };
    println!("\n{:<46} {:>9} {:>7} {:>8}", "target", "measured", "must", "should");
    println!(
        "{:<46} {:>9} {:>7} {:>8}   {word}",
        "P6  C: report minus verdict, ns",
        Nanoseconds(more),
        must / 1000,
        should / 1000
    );
    println!(
        "{:<46} {:>9}",
        "    native: report minus verdict, ns",
        Nanoseconds(difference(named(figures, NATIVE_REPORT), named(figures, NATIVE_VERDICT)))
    );
}

fn named<'f>(figures: &'f [Figure], name: &str) -> &'f Figure {
    figures.iter().find(|figure| figure.name == name).expect("a contender of this run")
}

/// The median of the differences within one round.
fn difference(more: &Figure, less: &Figure) -> i64 {
    let rounds = more.rounds.iter().zip(&less.rounds);
    let mut rounds: Vec<i64> = rounds.map(|(more, less)| *more as i64 - *less as i64).collect();
    rounds.sort_unstable();
    rounds[rounds.len() / 2]
}

/// Picoseconds, printed as nanoseconds with one digit behind the point.
struct Nanoseconds(i64);

impl std::fmt::Display for Nanoseconds {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        out.pad(&format!("{sign}{}.{}", self.0.abs() / 1000, self.0.abs() % 1000 / 100))
    }
}
