//! The functions that depend on the operating system: access to files, the memory of the process,
//! its limits, and its end.
//!
//! The program `gateway` needs Unix. On Windows there is the sandbox, without these protections:
//! files have the access rights of their folder, and a dump of a crash may contain card data.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
use unix as current;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as current;

use std::fs::{DirBuilder, Metadata, OpenOptions};
use std::io;
use std::path::Path;

/// Gives other users no access to the files that this process creates. On Windows, they have the
/// access rights of their folder.
pub fn keep_new_files_private() {
    current::keep_new_files_private();
}

/// Returns a future that ends at Ctrl-C, or when a supervisor ends the process: by SIGTERM, or on
/// Windows by the end of its console or of the session. From this call on, these events do not end
/// the process by themselves, so it comes before the message that the process is ready.
///
/// # Errors
/// Returns an error if the system does not report these events.
///
/// # Panics
/// Panics outside a runtime of tokio.
pub fn interrupted() -> io::Result<impl Future<Output = ()>> {
    current::interrupted()
}

/// Removes the access of other users to a file.
pub(crate) fn make_private(file: &Path) -> io::Result<()> {
    current::make_private(file)
}

/// Returns whether the mode of a file gives other users no access. Windows has no modes.
pub(crate) fn is_private(file: &Metadata) -> bool {
    current::is_private(file)
}

/// Returns the options to create a file for its owner alone, which does not exist yet.
pub(crate) fn new_private_file() -> OpenOptions {
    current::new_private_file()
}

/// Returns the builder of a folder for its owner alone.
pub(crate) fn private_folder() -> DirBuilder {
    current::private_folder()
}

/// Excludes the memory of the process from dumps, and from reading by other processes of the same
/// user.
pub(crate) fn protect_memory() -> io::Result<()> {
    current::protect_memory()
}

/// Raises the limit of open files and connections as far as the system allows, and returns it.
pub(crate) fn raise_descriptors() -> u64 {
    current::raise_descriptors()
}

/// Returns the free bytes of the disk of a file. `None` if the file does not exist, as that of a
/// database in memory.
pub(crate) fn free_bytes(file: &Path) -> Option<u64> {
    current::free_bytes(file)
}
