//! A static binary, and the command that runs it.

use std::path::PathBuf;
use std::process::Command;

/// A static binary.
pub(super) struct Binary {
    pub(super) target: &'static str,
    pub(super) processor: &'static str,
    pub(super) program: PathBuf,
}

impl Binary {
    /// Returns whether this machine runs the binary without an emulator.
    pub(super) fn is_native(&self) -> bool {
        self.processor == std::env::consts::ARCH
    }

    /// Returns the program that runs the binary on another processor.
    pub(super) fn emulator(&self) -> String {
        format!("qemu-{}", self.processor)
    }

    /// Returns the command that runs the binary.
    pub(super) fn command(&self) -> Command {
        if self.is_native() {
            return Command::new(&self.program);
        }
        let mut command = Command::new(self.emulator());
        command.arg(&self.program);
        command
    }
}
