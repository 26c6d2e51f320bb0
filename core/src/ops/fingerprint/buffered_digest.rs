//! A buffer between the canonical form and the hash, which combines small pieces into larger updates.

use hmac::digest::Update;
use zeroize::Zeroize;

use crate::json::writer::Put;

/// Buffers the input of a hash. The buffer may contain a card number, so it is zeroed on drop.
pub(super) struct BufferedDigest<'h> {
    hash: &'h mut dyn Update,
    buffer: [u8; 256],
    len: usize,
}

impl<'h> BufferedDigest<'h> {
    pub(super) fn new(hash: &'h mut dyn Update) -> Self {
        BufferedDigest { hash, buffer: [0; 256], len: 0 }
    }

    fn flush(&mut self) {
        self.hash.update(self.buffer.get(..self.len).unwrap_or_default());
        self.len = 0;
    }
}

impl Put for BufferedDigest<'_> {
    fn put(&mut self, bytes: &[u8]) {
        let end = self.len.saturating_add(bytes.len());
        if let Some(target) = self.buffer.get_mut(self.len..end) {
            target.copy_from_slice(bytes);
            self.len = end;
            return;
        }
        // The buffered bytes precede the new ones, so they are hashed first.
        self.flush();
        match self.buffer.get_mut(..bytes.len()) {
            Some(target) => {
                target.copy_from_slice(bytes);
                self.len = bytes.len();
            }
            None => self.hash.update(bytes),
        }
    }
}

impl Drop for BufferedDigest<'_> {
    fn drop(&mut self) {
        self.flush();
        self.buffer.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    struct Seen(Vec<u8>);

    impl Update for Seen {
        fn update(&mut self, bytes: &[u8]) {
            self.0.extend_from_slice(bytes);
        }
    }

    #[test]
    fn pieces_of_every_length_arrive_in_their_order() {
        let text: Vec<u8> = (0..=u8::MAX).cycle().take(5000).collect();
        for length in [1, 2, 3, 255, 256, 257, 1000, 5000] {
            for first in [0, 1, 255, 256, 257] {
                let mut seen = Seen(Vec::new());
                let mut buffered_digest = BufferedDigest::new(&mut seen);
                let (head, rest) = text.split_at(first);
                buffered_digest.put(head);
                rest.chunks(length).for_each(|piece| buffered_digest.put(piece));
                drop(buffered_digest);
                assert!(seen.0 == text, "{first}, then pieces of {length}");
            }
        }
    }
}
