//! Windows, which has no modes of files: each one has the access rights of its folder.

use std::fs::{DirBuilder, Metadata, OpenOptions};
use std::io;
use std::path::Path;

use tokio::signal::windows::{ctrl_break, ctrl_close, ctrl_logoff, ctrl_shutdown};

pub(super) fn keep_new_files_private() {}

pub(super) async fn interrupted() -> io::Result<()> {
    let (mut stop, mut close) = (ctrl_break()?, ctrl_close()?);
    let (mut logoff, mut shutdown) = (ctrl_logoff()?, ctrl_shutdown()?);
    tokio::select! {
        pressed = tokio::signal::ctrl_c() => pressed,
        _ = stop.recv() => Ok(()),
        _ = close.recv() => Ok(()),
        _ = logoff.recv() => Ok(()),
        _ = shutdown.recv() => Ok(()),
    }
}

pub(super) fn make_private(_: &Path) -> io::Result<()> {
    Ok(())
}

pub(super) fn is_private(_: &Metadata) -> bool {
    true
}

pub(super) fn new_private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    options
}

pub(super) fn private_folder() -> DirBuilder {
    DirBuilder::new()
}

pub(super) fn protect_memory() -> io::Result<()> {
    Ok(())
}

/// Windows limits no sockets of a process.
pub(super) fn raise_descriptors() -> u64 {
    u64::MAX
}

/// Only the program `gateway`, which needs Unix, leaves a part of the disk free.
pub(super) fn free_bytes(_: &Path) -> Option<u64> {
    None
}
