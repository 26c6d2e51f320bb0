//! Measures libpayspec through its C functions and the same work called natively, in one
//! interleaved run. The difference is the cost of the C API. The library is loaded with `dlopen`,
//! like in other programs.

use crate::candidates::{accepting, answer, validator, verdict};
use crate::corpus;
use crate::harness::Candidate;
use payspec::Engine;
use payspec_tests::abi::ABI_VERSION;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

#[repr(C)]
struct Buf {
    data: *mut c_char,
    len: usize,
    cap: usize,
}

type AbiVersion = unsafe extern "C" fn() -> u32;
type EngineNew = unsafe extern "C" fn(*const c_char, usize, *mut *mut c_void, *mut Buf) -> i32;
type Validate = unsafe extern "C" fn(
    *const c_void,
    *const c_char,
    usize,
    *const c_char,
    usize,
    *mut Buf,
) -> i32;

unsafe extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

const RTLD_NOW: c_int = 2;

/// The functions of the library, and an engine that is never freed.
pub struct Library {
    abi_version: AbiVersion,
    validate: Validate,
    engine: *mut c_void,
}

impl Library {
    /// Opens the library.
    ///
    /// # Panics
    /// If the file is not libpayspec.
    pub fn open(path: &str) -> Library {
        let name = CString::new(path).expect("a path without NUL");
        // SAFETY: the path ends in NUL, and the library has no initializers.
        let library = unsafe { dlopen(name.as_ptr(), RTLD_NOW) };
        assert!(!library.is_null(), "{path} cannot be opened");
        let find = |name: &CStr| {
            // SAFETY: the library is open, and the name ends in NUL.
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
        // SAFETY: there is no policy and no buffer, and `engine` is writable.
        let code = unsafe { engine_new(null(), 0, &raw mut engine, null_mut()) };
        assert_eq!(code, 0);
        Library {
            abi_version,
            validate,
            engine,
        }
    }

    /// Validates a body. Writes the report to `out` unless it is NULL.
    fn validate(&self, body: &[u8], out: *mut Buf) -> bool {
        // SAFETY: the engine is alive, the body has this length, there is no timestamp, and `out`
        // is NULL or a buffer.
        unsafe {
            (self.validate)(
                self.engine,
                body.as_ptr().cast(),
                body.len(),
                null(),
                0,
                out,
            ) == 0
        }
    }
}

/// Returns the candidates: calls of the C API, and the same calls in Rust.
pub fn candidates<'a>(library: &'a Library, engine: &'a Engine) -> Vec<Candidate<'a>> {
    let valid = || corpus::bytes(corpus::VALID);
    let mut out = Buf {
        data: null_mut(),
        len: 0,
        cap: 0,
    };
    vec![
        verdict("native: verdict", valid(), engine),
        validator(
            "native: report",
            valid(),
            answer(engine, "validate_request", None),
        ),
        accepting(
            "C: the call alone",
            valid(),
            // SAFETY: the function has no parameters.
            Box::new(|_| unsafe { (library.abi_version)() } == ABI_VERSION),
        ),
        validator(
            "C: verdict (out is NULL)",
            valid(),
            Box::new(|body| library.validate(body, null_mut())),
        ),
        validator(
            "C: report, warm buffer",
            valid(),
            Box::new(move |body| library.validate(body, &raw mut out)),
        ),
    ]
}
