//! libpayspec through its C functions beside the same work called natively, in one interleaved run: what the door costs.
//! The library is opened as any program opens it.

use crate::contenders::{answer, judge, own, verdict};
use crate::corpus;
use crate::harness::Contender;
use payspec::Engine;
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
type Validate = unsafe extern "C" fn(*const c_void, *const c_char, usize, *const c_char, usize, *mut Buf) -> i32;

unsafe extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

const RTLD_NOW: c_int = 2;

/// The functions, and an engine that lives as long as the program.
pub struct Library {
    abi_version: AbiVersion,
    validate: Validate,
    engine: *mut c_void,
}

impl Library {
    /// Opens it.
    ///
    /// # Panics
    /// Where the file is not libpayspec.
    pub fn open(path: &str) -> Library {
        let name = CString::new(path).expect("a path holds no NUL");
        // SAFETY: a path that ends in NUL; loading the library runs no code of it.
        let library = unsafe { dlopen(name.as_ptr(), RTLD_NOW) };
        assert!(!library.is_null(), "{path} cannot be opened");
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
    fn validate(&self, body: &[u8], out: *mut Buf) -> bool {
        // SAFETY: a living engine, a body with its length, no instant, and a buffer of the caller or none.
        unsafe { (self.validate)(self.engine, body.as_ptr().cast(), body.len(), null(), 0, out) == 0 }
    }
}

/// The doors, and the same without them.
pub fn contenders<'a>(library: &'a Library, engine: &'a Engine) -> Vec<Contender<'a>> {
    let valid = || corpus::bytes(corpus::VALID);
    let mut out = Buf { data: null_mut(), len: 0, cap: 0 };
    vec![
        verdict("native: verdict", valid(), engine),
        judge("native: report", valid(), answer(engine, "validate_request", None)),
        // SAFETY: a function without parameters.
        own("C: the call alone", valid(), Box::new(|_| unsafe { (library.abi_version)() } == 0)),
        judge("C: verdict (out is NULL)", valid(), Box::new(|body| library.validate(body, null_mut()))),
        judge("C: report, warm buffer", valid(), Box::new(move |body| library.validate(body, &raw mut out))),
    ]
}
