//! Announces the end of a connection whose request body is not read to its end.
//!
//! hyper closes such a connection after the answer, unless the rest of the body has arrived already. A
//! client cannot know which. It may send its next request there and get no answer, so that it does not
//! know whether a payment was created. So the answer has `Connection: close` (RFC 9112, section 9.6).

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::HeaderValue;
use axum::http::header::CONNECTION;
use axum::response::Response;
use hyper::body::{Frame, Incoming, SizeHint};

/// Set if the body of a request has been read to its end.
#[derive(Default, Clone)]
pub(super) struct ReadFlag(Arc<AtomicBool>);

impl ReadFlag {
    /// Wraps a body so that its end sets the flag.
    pub(super) fn watch(&self, body: Incoming) -> Body {
        Body::new(Watched {
            body,
            flag: self.clone(),
        })
    }

    /// Adds `Connection: close` to an answer if the body has not been read to its end.
    pub(super) fn close_if_unread(&self, mut answer: Response) -> Response {
        if !self.0.load(Ordering::Relaxed) {
            answer
                .headers_mut()
                .insert(CONNECTION, HeaderValue::from_static("close"));
        }
        answer
    }
}

struct Watched {
    body: Incoming,
    flag: ReadFlag,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() || self.body.is_end_stream() {
            self.flag.0.store(true, Ordering::Relaxed);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
