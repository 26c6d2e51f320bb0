//! Texts with planted card numbers and security codes, and the same texts with their masks.

use fastrand::Rng;
use payspec_tests::planted_secrets::random_card;

/// The size of the blocks that the program reads: `BLOCK` of `cli/src/input/blocks.rs`.
const BLOCK: usize = 256 * 1024;
/// The ends of the first blocks: after the bytes that show the encoding, and after those that may be
/// one body. A pipe has other borders.
const FIRST_ENDS: [usize; 2] = [4096, 65_537];
/// Within this distance of a border, there is nothing but secrets. A block may begin with the rest of a
/// line, which moves its end.
const NEAR: usize = 2048;

/// Words without digits and without names of card data.
const WORDS: [&str; 10] = [
    "INFO",
    "заказ",
    "accepted",
    "took=",
    "GET /v1/status",
    "卡号",
    "😀",
    "id=ab-cd",
    "...",
    "(ok)",
];

/// A text, and the same text after it was redacted.
pub(crate) struct Planted {
    pub(crate) input: Vec<u8>,
    pub(crate) masked: Vec<u8>,
}

/// Writes a text.
pub(crate) struct Text {
    random: Rng,
    ends: &'static [&'static str],
    has_bytes: bool,
    planted: usize,
    input: Vec<u8>,
    masked: Vec<u8>,
}

impl Text {
    /// Returns an empty text with these line ends.
    pub(crate) fn new(seed: u64, ends: &'static [&'static str]) -> Self {
        Text {
            random: Rng::with_seed(seed),
            ends,
            has_bytes: false,
            planted: 0,
            input: Vec::new(),
            masked: Vec::new(),
        }
    }

    /// Writes bytes that are not UTF-8 between the secrets.
    pub(crate) fn with_bytes(self) -> Self {
        Text {
            has_bytes: true,
            ..self
        }
    }

    /// Plants as many secrets.
    pub(crate) fn plant(mut self, count: usize) -> Planted {
        self.both(b"first words ");
        while self.planted < count {
            if !is_near_border(self.input.len()) {
                self.noise();
            }
            self.secret();
            self.separator();
        }
        Planted {
            input: self.input,
            masked: match self.has_bytes {
                true => String::from_utf8_lossy(&self.masked).into_owned().into(),
                false => self.masked,
            },
        }
    }

    fn both(&mut self, bytes: &[u8]) {
        self.write(bytes, bytes);
    }

    fn write(&mut self, plain: &[u8], masked: &[u8]) {
        self.input.extend_from_slice(plain);
        self.masked.extend_from_slice(masked);
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.random.usize(..all.len())]
    }

    fn end(&mut self) -> &'static str {
        let ends = self.ends;
        self.one_of(ends)
    }

    fn noise(&mut self) {
        for _ in 0..self.random.usize(5..70) {
            if self.has_bytes {
                let bytes: Vec<u8> = (0..5).map(|_| self.random.u8(0x80..)).collect();
                self.both(&bytes);
            }
            let word = self.one_of(&WORDS);
            self.both(word.as_bytes());
            let space = self.one_of(&[" ", " ", " ", " ", "; "]);
            self.both(space.as_bytes());
        }
        self.both(b"x ");
    }

    /// Most lines have several secrets.
    fn separator(&mut self) {
        let end = self.end();
        let separator = self.one_of(&[", ", "; ", " | ", end, end]);
        self.both(separator.as_bytes());
    }

    /// Writes one or two secrets in a common form.
    fn secret(&mut self) {
        let (card, card_mask) = self.card();
        let (code, end) = (self.code(), self.end());
        let (grouped, grouped_mask) = match self.random.u8(..3) {
            0 => (card.clone(), card_mask.clone()),
            1 => (in_groups(&card, " "), in_groups(&card_mask, " ")),
            _ => (in_groups(&card, "-"), in_groups(&card_mask, "-")),
        };
        let number = [grouped.as_str(), &grouped_mask];
        let plain = [card.as_str(), &card_mask];
        let code = [code.as_str(), "***"];
        let form = self.random.u8(..12);
        let written = |index: usize| match form {
            0 | 1 => number[index].to_owned(),
            2 => format!("card {} ok", number[index]),
            3 => format!("{{\"note\":\"{}\"}}", number[index]),
            4 => format!("body={{\\\"card_number\\\":\\\"{}\\\"}}", plain[index]),
            5 => format!("pan={}&x=y", plain[index]),
            6 => format!("\"pan\":{end}\"{}\"", plain[index]),
            7 => format!("cvv={}", code[index]),
            8 => format!("\"cvv\":\"{}\"", code[index]),
            9 => format!("security_code: {}", code[index]),
            10 => format!("\"cvc\":{end}  \"{}\"", code[index]),
            // A body in a line of its own.
            _ => format!(
                "{end}{{\"card_number\":\"{}\",\"cvv\":\"{}\"}}{end}",
                plain[index], code[index]
            ),
        };
        self.write(written(0).as_bytes(), written(1).as_bytes());
        self.planted += if form == 11 { 2 } else { 1 };
    }

    fn code(&mut self) -> String {
        let length = self.random.usize(3..5);
        (0..length).map(|_| self.random.digit(10)).collect()
    }

    /// Returns a valid card number, and its mask.
    fn card(&mut self) -> (String, String) {
        let card = random_card(&mut self.random);
        let length = card.len();
        let mask = format!(
            "{}{}{}",
            &card[..6],
            "*".repeat(length - 10),
            &card[length - 4..]
        );
        (card, mask)
    }
}

/// Returns whether a block may end near an offset.
fn is_near_border(offset: usize) -> bool {
    FIRST_ENDS.iter().any(|first| {
        let after = (offset + NEAR).checked_sub(*first);
        after.is_some_and(|after| after % BLOCK < 2 * NEAR)
    })
}

fn in_groups(card: &str, separator: &str) -> String {
    let groups = card.as_bytes().chunks(4).map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(separator)
}
