//! The memory of the process, which contains card data while a request runs.

use std::cell::Cell;
use std::future::poll_fn;
use std::io;

use tokio::runtime::{Builder, Runtime};

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
    512 * 1024
} else {
    64 * 1024
};

thread_local! {
    /// Set if a request with a body has used the stack of this thread since it was overwritten.
    static IS_USED: Cell<bool> = const { Cell::new(false) };
}

/// Returns a runtime for [`serve`](crate::http::serve()). Values that were moved leave copies on the
/// stack, so its threads overwrite what requests with bodies have used before they wait for work.
///
/// # Errors
/// Returns an error if the system refuses threads.
pub fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread()
        .enable_all()
        .on_thread_park(|| {
            if IS_USED.replace(false) {
                overwrite_stack();
            }
        })
        .build()
}

/// Runs a future with a body, and marks the stack of each thread that it has used.
pub(crate) async fn mark_stack<F: Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    poll_fn(|context| {
        IS_USED.set(true);
        future.as_mut().poll(context)
    })
    .await
}

#[inline(never)]
fn overwrite_stack() {
    std::hint::black_box(&mut [0_u8; STACK]);
}
