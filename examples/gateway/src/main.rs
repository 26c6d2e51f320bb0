//! The program `gateway`.

mod cli;

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    match cli::run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("gateway: {failure}");
            ExitCode::FAILURE
        }
    }
}
