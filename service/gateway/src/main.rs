//! The program `gateway`.

#[cfg(not(unix))]
compile_error!(
    "the program gateway needs Unix, whose modes of files protect its secrets; \
     on Windows, the library and `payspec sandbox` are supported"
);

mod cli;

use std::io::Write;
use std::process::ExitCode;

use payspec_gateway::memory;
use zeroizing_alloc::ZeroAlloc;

/// jemalloc returns the memory of closed connections to the system within ten seconds, by a thread of
/// its own. The allocator of glibc keeps most of it, since small values that are still in use lie
/// between theirs.
#[cfg(feature = "jemalloc")]
type Allocator = tikv_jemallocator::Jemalloc;
#[cfg(feature = "jemalloc")]
const ALLOCATOR: Allocator = tikv_jemallocator::Jemalloc;
#[cfg(not(feature = "jemalloc"))]
type Allocator = std::alloc::System;
#[cfg(not(feature = "jemalloc"))]
const ALLOCATOR: Allocator = std::alloc::System;

/// Wipes all memory when it is freed: bodies with card data are in buffers of hyper and serde_json
/// too.
#[global_allocator]
static WIPING: ZeroAlloc<Allocator> = ZeroAlloc(ALLOCATOR);

fn main() -> ExitCode {
    let result = memory::runtime()
        .map_err(Into::into)
        .and_then(|runtime| runtime.block_on(cli::run()));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Not eprintln, which panics if the stream is closed.
            let _ = writeln!(std::io::stderr(), "gateway: {failure}");
            ExitCode::FAILURE
        }
    }
}
