//! The program `gateway`.

mod cli;

use std::io::Write;
use std::process::ExitCode;

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
