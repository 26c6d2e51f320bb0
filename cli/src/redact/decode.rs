//! Decodes an input to UTF-8 while it is read.

use std::io::{self, Cursor, ErrorKind, Read};

use encoding_rs::{Decoder, DecoderResult};

use super::encoding::{ByteOrder, Encoding, WINDOW, character};

/// The number of bytes that are decoded at once.
const CHUNK: usize = 64 * 1024;

/// The most bytes of UTF-8 that a byte of another encoding becomes.
const GROWTH: usize = 3;

/// How an input is decoded.
#[derive(Clone, Copy)]
pub(super) struct Decoding {
    /// The encoding of the command line.
    pub(super) given: Option<Encoding>,
    /// Set if characters that cannot be decoded become U+FFFD.
    pub(super) is_lossy: bool,
    /// Set if the input is decoded line by line, as for `tail -f`.
    pub(super) is_followed: bool,
}

impl Decoding {
    /// Returns the input in UTF-8. An input that seems to be UTF-8 is returned as it is.
    pub(super) fn open(
        self,
        mut input: impl Read + Send + 'static,
    ) -> io::Result<Box<dyn Read + Send>> {
        let mut first = vec![0; WINDOW];
        let mut length = 0;
        while let Some(free) = first.get_mut(length..).filter(|free| !free.is_empty()) {
            let read = read(&mut input, free)?;
            length += read;
            let is_line = self.is_followed && first[..length].contains(&b'\n');
            if read == 0 || is_line {
                break;
            }
        }
        first.truncate(length);
        let (encoding, mark) = Encoding::of(self.given, &first);
        let input = Cursor::new(first).chain(input);
        if encoding == Encoding::UTF_8 {
            return Ok(Box::new(input));
        }
        Ok(Box::new(Decoded::new(
            input,
            encoding,
            mark,
            self.is_lossy,
        )?))
    }
}

/// An input that is decoded while it is read.
struct Decoded<R> {
    reader: R,
    encoding: Encoding,
    decoder: Option<Decoder>,
    is_lossy: bool,
    /// Bytes that are not decoded yet: the first ones of a character.
    bytes: Vec<u8>,
    /// The offset of these bytes in the input.
    offset: u64,
    text: Vec<u8>,
    /// The number of bytes of the text that have been returned.
    returned: usize,
    is_at_end: bool,
    foreign: ForeignDigits,
}

impl<R: Read> Decoded<R> {
    fn new(mut reader: R, encoding: Encoding, mark: usize, is_lossy: bool) -> io::Result<Self> {
        reader.read_exact(&mut vec![0; mark])?;
        let decoder = match encoding {
            Encoding::Standard(encoding) => Some(encoding.new_decoder_without_bom_handling()),
            Encoding::Utf32(_) => None,
        };
        Ok(Decoded {
            reader,
            encoding,
            decoder,
            is_lossy,
            bytes: Vec::new(),
            offset: mark as u64,
            text: Vec::new(),
            returned: 0,
            is_at_end: false,
            foreign: ForeignDigits {
                offset: mark as u64,
                count: 0,
            },
        })
    }

    /// Reads and decodes the next bytes.
    fn fill(&mut self) -> io::Result<()> {
        self.text.clear();
        self.returned = 0;
        let kept = self.bytes.len();
        self.bytes.resize(kept + CHUNK, 0);
        let read = read(&mut self.reader, &mut self.bytes[kept..])?;
        self.bytes.truncate(kept + read);
        self.is_at_end = read == 0;
        let decoded = match self.encoding {
            Encoding::Utf32(order) => self.decode_utf32(order)?,
            Encoding::Standard(_) => self.decode()?,
        };
        self.bytes.drain(..decoded);
        self.offset += decoded as u64;
        if self.encoding.is_utf16()
            && let Some(offset) = self.foreign.find(&self.text)
        {
            return Err(io::Error::other(format!(
                "from offset {offset} on, digits of another encoding follow {}",
                self.encoding.name()
            )));
        }
        Ok(())
    }

    /// Decodes with encoding_rs, which keeps the first bytes of a character. Returns the number of
    /// bytes.
    fn decode(&mut self) -> io::Result<usize> {
        let mut at = 0;
        loop {
            let Some(decoder) = self.decoder.as_mut() else {
                return Ok(at);
            };
            let start = self.text.len();
            let rest = self.bytes.get(at..).unwrap_or_default();
            // Some bytes for a character that began in the chunk before.
            self.text.resize(start + rest.len() * GROWTH + 16, 0);
            let (result, read, written) = decoder.decode_to_utf8_without_replacement(
                rest,
                &mut self.text[start..],
                self.is_at_end,
            );
            self.text.truncate(start + written);
            at += read;
            match result {
                DecoderResult::InputEmpty => return Ok(at),
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(length, after) => {
                    let before = u64::from(length) + u64::from(after);
                    self.replace((self.offset + at as u64).saturating_sub(before))?;
                }
            }
        }
    }

    /// Decodes groups of four bytes. Returns the number of bytes.
    fn decode_utf32(&mut self, order: ByteOrder) -> io::Result<usize> {
        let bytes = std::mem::take(&mut self.bytes);
        let (groups, rest) = bytes.as_chunks();
        for (index, group) in groups.iter().enumerate() {
            match character(*group, order) {
                Some(character) => self.push(character),
                None => self.replace(self.offset + 4 * index as u64)?,
            }
        }
        let mut decoded = bytes.len() - rest.len();
        if self.is_at_end && !rest.is_empty() {
            self.replace(self.offset + decoded as u64)?;
            decoded = bytes.len();
        }
        self.bytes = bytes;
        Ok(decoded)
    }

    fn push(&mut self, character: char) {
        let mut utf8 = [0; 4];
        self.text
            .extend_from_slice(character.encode_utf8(&mut utf8).as_bytes());
    }

    /// Replaces what cannot be decoded, if this is permitted.
    fn replace(&mut self, offset: u64) -> io::Result<()> {
        if self.is_lossy {
            self.push(char::REPLACEMENT_CHARACTER);
            return Ok(());
        }
        Err(io::Error::other(format!(
            "the byte at offset {offset} is not {}; --lossy replaces such bytes",
            self.encoding.name()
        )))
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.returned == self.text.len() && !self.is_at_end {
            self.fill()?;
        }
        let mut rest = self.text.get(self.returned..).unwrap_or_default();
        let length = rest.read(buffer)?;
        self.returned += length;
        Ok(length)
    }
}

/// Searches for digits of one byte each in a text that was decoded from UTF-16, as after `>>`.
///
/// Two such digits make one character, so a card number would not be found. No language has words
/// of these characters.
struct ForeignDigits {
    /// The number of bytes of the input before the next character.
    offset: u64,
    /// The number of such characters at the end of the text so far.
    count: u64,
}

impl ForeignDigits {
    /// The number of pairs in a card number of 14 digits that begins in the middle of a pair.
    const LEAST: u64 = 6;

    /// Returns the offset of the first pair.
    fn find(&mut self, text: &[u8]) -> Option<u64> {
        let text = str::from_utf8(text).unwrap_or_default();
        text.chars().find_map(|character| {
            self.offset += 2 * character.len_utf16() as u64;
            let is_digit = |byte: u8| byte.is_ascii_digit();
            self.count = match u32::from(character).to_be_bytes() {
                // The ideographic space indents lines.
                [0, 0, 0x30, 0] if self.count == 0 => 0,
                // A NUL beside a digit belongs to UTF-16 that begins in the middle of a pair.
                [0, 0, high, low] if is_digit(high) && (low == 0 || is_digit(low)) => {
                    self.count + 1
                }
                _ => 0,
            };
            (self.count == Self::LEAST).then(|| self.offset.saturating_sub(2 * self.count))
        })
    }
}

fn read(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
