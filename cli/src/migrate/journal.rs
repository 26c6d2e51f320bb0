//! The journal of a run: how much of the input is in the files, so that an interrupted run can
//! continue.

use std::cell::Cell;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::convert::Counts;
use super::files::{Files, with_ending};
use crate::failure::Failure;
use crate::input::{Block, Origin};

/// At most so much work is repeated after an interruption, if the disk is fast.
const INTERVAL: Duration = Duration::from_secs(1);
/// The work between two records takes at least so many times as long as a record, which waits for
/// the disk.
const WORK_PER_RECORD: u32 = 9;

/// Identifies a run: only the same run may continue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Run {
    version: String,
    options: String,
    input: String,
    /// Length and time of the last change of the input, if it is a file.
    size: Option<u64>,
    changed_ns: Option<u64>,
}

impl Run {
    pub(super) fn new(origin: &Origin, options: String) -> Result<Self, Failure> {
        let (path, metadata) = match origin {
            Origin::Stdin => (None, None),
            Origin::File(path) => (
                Some(path),
                Some(path.metadata().map_err(|error| origin.failure(&error))?),
            ),
        };
        let changed = metadata
            .as_ref()
            .and_then(|metadata| metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok());
        Ok(Run {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            options,
            input: path
                .map(|path| path.to_string_lossy().into_owned())
                .unwrap_or_default(),
            size: metadata.map(|metadata| metadata.len()),
            changed_ns: changed.and_then(|changed| u64::try_from(changed.as_nanos()).ok()),
        })
    }
}

/// The progress of a migration.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct State {
    run: Run,
    /// The offset in the input, and the number of the line there.
    pub(super) offset: u64,
    pub(super) next_line: u64,
    /// The lengths of the files.
    pub(super) lengths: [u64; 3],
    pub(super) counts: Counts,
    /// Whether only the names of the files are missing.
    pub(super) is_complete: bool,
}

/// The journal beside the output.
pub(super) struct Journal {
    path: PathBuf,
    run: Run,
    /// When the last record was complete, and how long it took.
    last: Cell<Option<(Instant, Duration)>>,
    position: Cell<(u64, u64)>,
}

impl Journal {
    pub(super) fn beside(output: &Path, run: Run) -> Self {
        Journal {
            path: with_ending(output, ".journal"),
            run,
            last: Cell::new(None),
            position: Cell::new((1, 0)),
        }
    }

    /// Returns the state of an interrupted run, if there was one.
    pub(super) fn read(&self) -> Result<Option<State>, Failure> {
        let name = self.path.display();
        let text = match std::fs::read(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Failure::reading(&name.to_string(), &error)),
        };
        let state: State = serde_json::from_slice(&text)
            .map_err(|_| Failure::new(format!("{name} is not a journal of this program")))?;
        if state.run != self.run {
            return Err(Failure::new(format!(
                "{name} belongs to a run with another input, policy, or options; without --resume the run starts again"
            )));
        }
        Ok(Some(state))
    }

    /// Records the state if the last record is old enough.
    pub(super) fn record(
        &self,
        files: &mut Files,
        block: &Block,
        counts: &Counts,
    ) -> Result<(), Failure> {
        let lines = memchr::memchr_iter(b'\n', block.bytes()).count() as u64;
        self.position.set((block.first_line + lines, block.end));
        let is_recent =
            |(at, took): (Instant, Duration)| at.elapsed() < INTERVAL.max(took * WORK_PER_RECORD);
        if self.last.get().is_some_and(is_recent) {
            return Ok(());
        }
        let start = Instant::now();
        self.write(files, counts, false)?;
        self.last.set(Some((Instant::now(), start.elapsed())));
        Ok(())
    }

    /// Records that the files are complete.
    pub(super) fn complete(&self, files: &mut Files, counts: &Counts) -> Result<(), Failure> {
        self.write(files, counts, true)
    }

    fn write(&self, files: &mut Files, counts: &Counts, is_complete: bool) -> Result<(), Failure> {
        let lengths = files.sync()?;
        let (next_line, offset) = self.position.get();
        let counts = counts.clone();
        let state = State {
            run: self.run.clone(),
            offset,
            next_line,
            lengths,
            counts,
            is_complete,
        };
        let folder = self
            .path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        let write = || {
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            serde_json::to_writer(&mut file, &state)?;
            file.flush()?;
            file.as_file().sync_data()?;
            file.persist(&self.path).map_err(|error| error.error)?;
            Ok(())
        };
        write().map_err(|error: std::io::Error| Failure::writing(&self.path, &error))
    }

    pub(super) fn remove(&self) -> Result<(), Failure> {
        std::fs::remove_file(&self.path).map_err(|error| Failure::writing(&self.path, &error))
    }
}
