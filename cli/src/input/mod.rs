//! Inputs: files, folders, and standard input.

mod blocks;
mod find;

pub(crate) use blocks::{Block, Blocks, LongLines, lines_inclusive};
pub(crate) use find::find;

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The name of standard input in messages.
pub(crate) const STDIN: &str = "<stdin>";

/// The source of a body or a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Stdin,
    File(PathBuf),
}

impl Origin {
    /// Returns the origin that an argument names; `-` is standard input.
    pub(crate) fn of(path: &Path) -> Self {
        if path.as_os_str() == "-" {
            Origin::Stdin
        } else {
            Origin::File(path.to_owned())
        }
    }

    /// Returns the name for messages.
    pub(crate) fn name(&self) -> Cow<'_, str> {
        match self {
            Origin::Stdin => STDIN.into(),
            Origin::File(path) => path.to_string_lossy(),
        }
    }

    /// Returns whether the name of the file promises a body in each line.
    pub(crate) fn is_lines(&self) -> bool {
        let Origin::File(path) = self else {
            return false;
        };
        path.extension()
            .is_some_and(|ending| ending == "jsonl" || ending == "ndjson")
    }

    pub(crate) fn open(&self) -> Result<Box<dyn Read + Send>, Failure> {
        match self {
            Origin::Stdin => Ok(Box::new(io::stdin())),
            Origin::File(path) => {
                let file = File::open(path).map_err(|error| self.failure(&error))?;
                // Reading would fail with a worse message, or not at all on some systems.
                let is_folder = file.metadata().is_ok_and(|metadata| metadata.is_dir());
                if is_folder {
                    Err(self.failure(&io::ErrorKind::IsADirectory.into()))
                } else {
                    Ok(Box::new(file))
                }
            }
        }
    }

    /// Returns the size of a regular file.
    pub(crate) fn size(&self) -> Option<u64> {
        let Origin::File(path) = self else {
            return None;
        };
        path.metadata()
            .ok()
            .filter(std::fs::Metadata::is_file)
            .map(|metadata| metadata.len())
    }

    /// Reads at most `limit` bytes.
    pub(crate) fn read(&self, limit: u64) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        self.open()?
            .take(limit)
            .read_to_end(&mut bytes)
            .map_err(|error| self.failure(&error))?;
        Ok(bytes)
    }

    pub(crate) fn failure(&self, error: &io::Error) -> Failure {
        Failure::reading(&self.name(), error)
    }
}
