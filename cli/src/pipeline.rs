//! Processes blocks with several threads, and passes on the results in order.

use std::collections::BTreeMap;
use std::io::Read;
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use crossbeam_channel::{bounded, unbounded};

use crate::failure::Failure;
use crate::input::{Block, Blocks};

/// More threads than this would need more memory than a command may use.
const MOST_JOBS: usize = 16;

/// Returns the number of jobs: that of the command line, or the number of cores.
pub(crate) fn jobs(given: Option<NonZeroUsize>) -> usize {
    let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    given.unwrap_or_else(cores).get().min(MOST_JOBS)
}

/// Runs `work` for each block, and `sink` for the results in the order of the blocks.
///
/// `work` fills a result that an earlier block may have used, so that buffers are allocated once.
pub(crate) fn run<R, O>(
    jobs: usize,
    mut blocks: Blocks<R>,
    failure: impl Fn(&std::io::Error) -> Failure,
    work: impl Fn(&Block, &mut O) + Sync,
    mut sink: impl FnMut(&Block, &O) -> Result<(), Failure>,
) -> Result<(), Failure>
where
    R: Read + Send,
    O: Default + Send,
{
    if jobs <= 1 {
        let (mut block, mut result) = (Block::default(), O::default());
        while blocks
            .next_into(&mut block)
            .map_err(|error| failure(&error))?
        {
            work(&block, &mut result);
            sink(&block, &result)?;
        }
        return Ok(());
    }
    // The number of these pairs bounds the memory.
    let (free, taken) = unbounded();
    for _ in 0..jobs * 2 + 2 {
        let _ = free.send((Block::default(), O::default()));
    }
    let (done, finished) = bounded(jobs * 2 + 2);
    // Each job reads the blocks that it processes. A thread that only reads would compete with them
    // for the cores.
    let input = Mutex::new(Input {
        blocks,
        number: 0,
        end: None,
    });
    thread::scope(|scope| {
        for _ in 0..jobs {
            let (taken, done, input, work) = (taken.clone(), done.clone(), &input, &work);
            scope.spawn(move || {
                // After a failure of the sink, both channels are closed.
                while let Ok((mut block, mut result)) = taken.recv() {
                    let Some(number) = lock(input).next_into(&mut block) else {
                        return;
                    };
                    work(&block, &mut result);
                    if done.send((number, block, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop((taken, done));
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        while let Ok((number, block, result)) = finished.recv() {
            waiting.insert(number, (block, result));
            while let Some((block, result)) = waiting.remove(&next) {
                if let Err(failure) = sink(&block, &result) {
                    drop((free, finished));
                    return Err(failure);
                }
                let _ = free.send((block, result));
                next += 1;
            }
        }
        match lock(&input).end.take() {
            Some(Err(error)) => Err(failure(&error)),
            _ => Ok(()),
        }
    })
}

/// The blocks that are not read yet.
struct Input<R> {
    blocks: Blocks<R>,
    /// The number of the next block.
    number: u64,
    /// Why no further block is read.
    end: Option<std::io::Result<()>>,
}

impl<R: Read> Input<R> {
    /// Reads the next block, and returns its number.
    fn next_into(&mut self, block: &mut Block) -> Option<u64> {
        if self.end.is_some() {
            return None;
        }
        match self.blocks.next_into(block) {
            Ok(true) => {
                self.number += 1;
                Some(self.number - 1)
            }
            read => {
                self.end = Some(read.map(|_| ()));
                None
            }
        }
    }
}

fn lock<R>(input: &Mutex<Input<R>>) -> MutexGuard<'_, Input<R>> {
    input.lock().unwrap_or_else(PoisonError::into_inner)
}
