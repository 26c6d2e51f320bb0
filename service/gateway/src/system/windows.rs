//! Windows, which has no modes of files: each one has the access rights of its folder.

use std::fs::{DirBuilder, Metadata, OpenOptions};
use std::io;
use std::path::Path;

use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_logoff, ctrl_shutdown};

pub(super) fn keep_new_files_private() {}

pub(super) fn interrupted() -> io::Result<impl Future<Output = ()>> {
    let (mut interrupt, mut stop, mut close) = (ctrl_c()?, ctrl_break()?, ctrl_close()?);
    let (mut logoff, mut shutdown) = (ctrl_logoff()?, ctrl_shutdown()?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = stop.recv() => {}
            _ = close.recv() => {}
            _ = logoff.recv() => {}
            _ = shutdown.recv() => {}
        }
    })
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
