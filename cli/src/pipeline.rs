//! Processes blocks with several threads, and passes on the results in order.

use std::collections::BTreeMap;
use std::io::Read;
use std::num::NonZeroUsize;
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
        while blocks.next_into(&mut block).map_err(|error| failure(&error))? {
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
    let (queue, queued) = bounded::<(u64, Block, O)>(jobs * 2 + 2);
    let (done, finished) = bounded(jobs * 2 + 2);
    thread::scope(|scope| {
        let reader = scope.spawn(move || {
            for number in 0.. {
                // After a failure of the sink, further blocks are not needed.
                let Ok((mut block, result)) = taken.recv() else { return Ok(()) };
                if !blocks.next_into(&mut block)? || queue.send((number, block, result)).is_err() {
                    return Ok(());
                }
            }
            Ok(())
        });
        for _ in 0..jobs {
            let (queued, done, work) = (queued.clone(), done.clone(), &work);
            scope.spawn(move || {
                for (number, block, mut result) in queued {
                    work(&block, &mut result);
                    if done.send((number, block, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop((queued, done));
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        while let Ok((number, block, result)) = finished.recv() {
            waiting.insert(number, (block, result));
            while let Some((block, result)) = waiting.remove(&next) {
                if let Err(failure) = sink(&block, &result) {
                    // The other threads end as soon as their channels are closed.
                    drop((free, finished));
                    return Err(failure);
                }
                let _ = free.send((block, result));
                next += 1;
            }
        }
        match reader.join() {
            Ok(read) => read.map_err(|error| failure(&error)),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
