//! A connection whose read buffer holds no earlier request.

use std::io;
use std::ops::Range;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A stream that wipes what earlier reads have left in the free part of the reader's buffer.
///
/// hyper reads all requests of a connection into one buffer, and waits for the next request right
/// after an answer. Without this, the last body would stay in the buffer until then.
///
/// hyper polls about six times for each request, so the stream remembers which addresses it has
/// wiped and not filled since. The end of the free part identifies the buffer. A new buffer has no
/// data to wipe, because the allocator wipes all memory that is freed.
pub(super) struct Wiped<S> {
    stream: S,
    /// Addresses that have only zeros.
    zeros: Range<usize>,
}

impl<S> Wiped<S> {
    pub(super) fn new(stream: S) -> Self {
        Self {
            stream,
            zeros: 0..0,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Wiped<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let free = free_part(buffer);
        let used = if self.zeros.end == free.end {
            self.zeros.start.clamp(free.start, free.end) - free.start
        } else {
            0
        };
        buffer.initialize_unfilled_to(used).fill(0);
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.zeros = free_part(buffer);
        polled
    }
}

/// Returns the addresses that a read may fill.
fn free_part(buffer: &ReadBuf<'_>) -> Range<usize> {
    let start = buffer.filled().as_ptr_range().end.addr();
    start..start + buffer.remaining()
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Wiped<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    /// The buffer of the reader, and the read that fills a part of it.
    struct Step {
        /// The free part.
        free: Range<usize>,
        read: &'static [u8],
        /// The buffer after the read, with points for zeros.
        buffer: &'static str,
    }

    fn step(free: Range<usize>, read: &'static [u8], buffer: &'static str) -> Step {
        Step { free, read, buffer }
    }

    #[tokio::test]
    async fn a_read_leaves_nothing_of_the_read_before() {
        let steps = [
            step(0..8, b"41111111", "41111111...."),
            // The reader has used all of it.
            step(0..8, b"ok", "ok.........."),
            // It waits with the rest, and gets two chunks.
            step(2..8, b"", "ok.........."),
            step(2..8, b"422", "ok422......."),
            step(5..8, b"2", "ok4222......"),
            // It has used the first bytes, and moved the others to the front.
            step(4..8, b"3", "ok423......."),
            step(0..8, b"", "............"),
            // Another buffer, which is new, and the first one again.
            step(8..12, b"5", "........5..."),
            step(8..12, b"", "............"),
            step(0..8, b"6", "6..........."),
            step(0..8, b"7", "7..........."),
        ];
        let mut bytes = [0; 12];
        let mut stream = Wiped::new(Chunks(steps.iter().map(|step| step.read)));
        for Step { free, buffer, .. } in &steps {
            let mut part = ReadBuf::new(&mut bytes[free.clone()]);
            poll_fn(|context| Pin::new(&mut stream).poll_read(context, &mut part))
                .await
                .unwrap();
            let shown = bytes.map(|byte| if byte == 0 { '.' } else { char::from(byte) });
            assert_eq!(String::from_iter(shown), *buffer);
        }
    }

    /// Returns one chunk for each read.
    struct Chunks<I>(I);

    impl<I: Iterator<Item = &'static [u8]> + Unpin> AsyncRead for Chunks<I> {
        fn poll_read(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            buffer: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            buffer.put_slice(self.0.next().unwrap_or_default());
            Poll::Ready(Ok(()))
        }
    }
}
