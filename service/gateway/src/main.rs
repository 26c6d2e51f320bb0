//! The program `gateway`.

mod cli;

use std::io::Write;
use std::process::ExitCode;

/// Returns the memory of closed connections to the system within ten seconds, by a thread of its
/// own. The allocator of glibc keeps most of it, since small values that are still in use lie
/// between theirs.
#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

#[tokio::main]
async fn main() -> ExitCode {
    match cli::run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Not eprintln, which panics if the stream is closed.
            let _ = writeln!(std::io::stderr(), "gateway: {failure}");
            ExitCode::FAILURE
        }
    }
}
