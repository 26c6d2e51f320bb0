//! The memory of the process, which contains card data while a request runs.

use std::future::poll_fn;
use std::io;

use crate::system;

/// The variable that switches the protection off, for tests that examine the memory.
pub const READABLE: &str = "PAYSPEC_TEST_READABLE_MEMORY";

/// Excludes the memory of the process from core dumps, and from reading by other processes of the same
/// user, unless the variable [`READABLE`] is set. Windows has no such protection.
///
/// # Errors
/// Returns an error if the system refuses a limit.
pub fn protect() -> io::Result<()> {
    if std::env::var_os(READABLE).is_some() {
        return Ok(());
    }
    system::protect_memory()
}

/// The bytes of the stack that a request may use: up to 40 KiB in an optimized build for x86-64.
/// Unoptimized builds copy each value several times.
const STACK: usize = if cfg!(debug_assertions) {
    256 * 1024
} else {
    48 * 1024
};

/// Runs a future, and overwrites the stack that each of its steps has used: values that were moved
/// leave copies there.
pub(crate) async fn leave_no_stack<F: Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    poll_fn(|context| {
        let polled = future.as_mut().poll(context);
        overwrite_stack();
        polled
    })
    .await
}

#[inline(never)]
fn overwrite_stack() {
    std::hint::black_box(&mut [0_u8; STACK]);
}
