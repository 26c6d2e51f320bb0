//! A connection whose read buffer holds no earlier request.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A stream that wipes the free part of the reader's buffer before each read.
///
/// hyper reads all requests of a connection into one buffer, and waits for the next request right
/// after an answer. Without this, the last body would stay in the buffer until then.
pub(super) struct Wiped<S>(pub(super) S);

impl<S: AsyncRead + Unpin> AsyncRead for Wiped<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let filled = buffer.filled().len();
        let unfilled = buffer.initialized_mut().get_mut(filled..);
        unfilled.unwrap_or_default().fill(0);
        // The rest, which hyper has not initialized, is filled with zeros too.
        buffer.initialize_unfilled();
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Wiped<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    #[tokio::test]
    async fn a_read_leaves_nothing_of_the_read_before() {
        let chunks = [&b"4111111111111111"[..], b"ok"];
        let mut stream = Wiped(Chunks(chunks.iter()));
        let mut bytes = [0; 16];
        for expected in [*b"4111111111111111", *b"ok\0\0\0\0\0\0\0\0\0\0\0\0\0\0"] {
            let mut buffer = ReadBuf::new(&mut bytes);
            poll_fn(|context| Pin::new(&mut stream).poll_read(context, &mut buffer))
                .await
                .unwrap();
            assert_eq!(bytes, expected);
        }
    }

    /// Returns one chunk for each read.
    struct Chunks<'a>(std::slice::Iter<'a, &'a [u8]>);

    impl AsyncRead for Chunks<'_> {
        fn poll_read(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            buffer: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            buffer.put_slice(self.0.next().copied().unwrap_or_default());
            Poll::Ready(Ok(()))
        }
    }
}
