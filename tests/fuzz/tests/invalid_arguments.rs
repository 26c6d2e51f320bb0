//! Passes invalid pointers to the C API, and checks its version. The programs in `tests/c` repeat
//! this against the built library; here it counts towards coverage.

use payspec_ffi::buf::{payspec_buf, payspec_buf_free};
use payspec_ffi::engine::{payspec_engine, payspec_engine_free, payspec_engine_new};
use payspec_ffi::operations::tables::payspec_states;
use payspec_ffi::status::{PAYSPEC_ACCEPTED, PAYSPEC_ERROR_ARGUMENT};
use payspec_ffi::version::{payspec_abi_version, payspec_version, payspec_version_number};
use std::ffi::CStr;
use std::ptr::{null, null_mut, without_provenance_mut};

/// Returns a pointer that is not NULL and is aligned for bytes only.
fn misaligned<T>() -> *mut T {
    without_provenance_mut(1)
}

fn engine() -> *mut payspec_engine {
    let mut engine = null_mut();
    // SAFETY: no policy, a valid pointer for the engine, no buffer.
    let code = unsafe { payspec_engine_new(null(), 0, &raw mut engine, null_mut()) };
    assert_eq!((code, engine.is_null()), (PAYSPEC_ACCEPTED, false));
    engine
}

#[test]
fn rejects_invalid_pointers() {
    let engine = engine();
    // SAFETY: a misaligned pointer is rejected before it is read; the engine is valid.
    unsafe {
        assert_eq!(payspec_states(engine, misaligned()), PAYSPEC_ERROR_ARGUMENT);
        assert_eq!(
            payspec_states(misaligned(), null_mut()),
            PAYSPEC_ERROR_ARGUMENT
        );
        assert_eq!(payspec_states(null(), null_mut()), PAYSPEC_ERROR_ARGUMENT);
        for out in [null_mut(), misaligned::<*mut payspec_engine>()] {
            assert_eq!(
                payspec_engine_new(null(), 0, out, null_mut()),
                PAYSPEC_ERROR_ARGUMENT
            );
        }
        payspec_buf_free(misaligned());
        payspec_buf_free(null_mut());
        payspec_engine_free(misaligned());
        payspec_engine_free(null_mut());
        payspec_engine_free(engine);
    }
}

#[test]
fn returns_the_pointer_error_in_the_buffer() {
    let mut out = payspec_buf {
        data: null_mut(),
        len: 0,
        cap: 0,
    };
    // SAFETY: the engine's pointer is rejected before it is read; the buffer is new and freed once.
    unsafe {
        assert_eq!(
            payspec_states(misaligned(), &raw mut out),
            PAYSPEC_ERROR_ARGUMENT
        );
        let text = std::slice::from_raw_parts(out.data.cast::<u8>(), out.len);
        assert!(
            text.starts_with(br#"{"error":{"code":"argument","path":"#),
            "{}",
            String::from_utf8_lossy(text)
        );
        payspec_buf_free(&raw mut out);
    }
    assert!(out.data.is_null());
}

#[test]
fn returns_the_package_version() {
    // SAFETY: a constant text with its NUL.
    let text = unsafe { CStr::from_ptr(payspec_version()) };
    assert_eq!(text.to_str(), Ok(env!("CARGO_PKG_VERSION")));
    let [major, minor, patch] = [
        env!("CARGO_PKG_VERSION_MAJOR"),
        env!("CARGO_PKG_VERSION_MINOR"),
        env!("CARGO_PKG_VERSION_PATCH"),
    ]
    .map(|part| part.parse::<u32>().unwrap());
    assert_eq!(
        payspec_version_number(),
        major * 1_000_000 + minor * 1000 + patch
    );
    assert_eq!(
        payspec_abi_version(),
        if major == 0 { minor } else { 100 * major }
    );
}
