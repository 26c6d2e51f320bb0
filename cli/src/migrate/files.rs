//! The output files, which get their names only when they are complete.

use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::convert::Converted;
use crate::failure::Failure;
use crate::output::Output;

/// A file under a temporary name.
struct Partial {
    path: PathBuf,
    partial: PathBuf,
    /// `None` if an earlier run has completed and renamed the file.
    file: Option<BufWriter<File>>,
    length: u64,
}

/// The files of bodies, rejects, and changes. Bodies without a file go to standard output.
pub(super) struct Files {
    files: [Option<Partial>; 3],
    stdout: Option<Output>,
}

/// Returns the path with an ending added.
pub(super) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

impl Partial {
    fn create(path: &Path) -> Result<Self, Failure> {
        let partial = with_ending(path, ".partial");
        if path.is_dir() {
            return Err(Failure::writing(
                path,
                &std::io::ErrorKind::IsADirectory.into(),
            ));
        }
        let file = File::create(&partial).map_err(|error| Failure::writing(&partial, &error))?;
        Ok(Partial {
            path: path.to_owned(),
            partial,
            file: Some(BufWriter::new(file)),
            length: 0,
        })
    }

    /// Opens the file of an interrupted run, without what was written after the journal.
    fn resume(path: &Path, length: u64, is_complete: bool) -> Result<Self, Failure> {
        let partial = with_ending(path, ".partial");
        let open = || {
            let mut file = OpenOptions::new().write(true).open(&partial)?;
            if file.metadata()?.len() < length {
                return Err(std::io::Error::other(
                    "the file is shorter than its journal states",
                ));
            }
            file.set_len(length)?;
            std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0))?;
            Ok(BufWriter::new(file))
        };
        let file = match open() {
            Ok(file) => Some(file),
            // The run was interrupted between two renames.
            Err(error)
                if is_complete && error.kind() == std::io::ErrorKind::NotFound && path.exists() =>
            {
                None
            }
            Err(error) => return Err(Failure::writing(&partial, &error)),
        };
        Ok(Partial {
            path: path.to_owned(),
            partial,
            file,
            length,
        })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.length += bytes.len() as u64;
        let written = self
            .file
            .as_mut()
            .map_or(Ok(()), |file| file.write_all(bytes));
        written.map_err(|error| Failure::writing(&self.partial, &error))
    }

    fn sync(&mut self) -> Result<(), Failure> {
        let synced = self.file.as_mut().map_or(Ok(()), |file| {
            file.flush().and_then(|()| file.get_ref().sync_data())
        });
        synced.map_err(|error| Failure::writing(&self.partial, &error))
    }

    fn publish(&mut self) -> Result<(), Failure> {
        self.sync()?;
        match self.file.take() {
            Some(_) => fs::rename(&self.partial, &self.path)
                .map_err(|error| Failure::writing(&self.path, &error)),
            None => Ok(()),
        }
    }
}

impl Files {
    pub(super) fn create(paths: [Option<&Path>; 3]) -> Result<Self, Failure> {
        let [bodies, rejects, changes] = paths.map(|path| path.map(Partial::create).transpose());
        Ok(Files {
            files: [bodies?, rejects?, changes?],
            stdout: paths[0].is_none().then(Output::new),
        })
    }

    /// Opens the files of an interrupted run, each with its length.
    pub(super) fn resume(
        paths: [Option<&Path>; 3],
        lengths: [u64; 3],
        is_complete: bool,
    ) -> Result<Self, Failure> {
        let resume = |index: usize| {
            paths[index]
                .map(|path| Partial::resume(path, lengths[index], is_complete))
                .transpose()
        };
        Ok(Files {
            files: [resume(0)?, resume(1)?, resume(2)?],
            stdout: None,
        })
    }

    pub(super) fn write(&mut self, converted: &Converted) -> Result<(), Failure> {
        if let Some(stdout) = &mut self.stdout {
            stdout.write_all(&converted.bodies)?;
        }
        let texts = [&converted.bodies, &converted.rejects, &converted.changes];
        for (file, text) in self.files.iter_mut().zip(texts) {
            if let Some(file) = file {
                file.write(text)?;
            }
        }
        Ok(())
    }

    /// Writes everything to disk. Returns the lengths of the files.
    pub(super) fn sync(&mut self) -> Result<[u64; 3], Failure> {
        let mut lengths = [0; 3];
        for (file, length) in self.files.iter_mut().zip(&mut lengths) {
            if let Some(file) = file {
                file.sync()?;
                *length = file.length;
            }
        }
        Ok(lengths)
    }

    /// Gives the complete files their names, that of the bodies last.
    pub(super) fn publish(&mut self) -> Result<(), Failure> {
        if let Some(stdout) = &mut self.stdout {
            stdout.flush()?;
        }
        self.files
            .iter_mut()
            .rev()
            .flatten()
            .try_for_each(Partial::publish)
    }
}
