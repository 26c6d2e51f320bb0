//! Card schemes with their prefixes, lengths, and security codes, and the check digit.

#[cfg(test)]
mod tests;

use crate::util::string_enum::string_enum;
use crate::util::text::Text;

string_enum! {
    /// A card scheme, which the first digits of a card number determine.
    ///
    /// It decides the length of the security code (§2.2, pay_in_details.card:
    /// `security_code_syntax`) and the result of `card_info`. It also decides which number in a
    /// text is a likely card number (`card_number_in_text`).
    #[non_exhaustive]
    Scheme {
        /// 4.
        Visa = "visa",
        /// 51–55, 2221–2720.
        Mastercard = "mastercard",
        /// 34, 37.
        AmericanExpress = "american_express",
        /// 2200–2204.
        Mir = "mir",
        /// 62, 81.
        UnionPay = "unionpay",
        /// 3528–3589.
        Jcb = "jcb",
        /// 6011, 644–649, 65.
        Discover = "discover",
        /// 300–305, 36, 38, 39.
        DinersClub = "diners_club",
        /// 50, 56–59, and every other number that begins with 6.
        Maestro = "maestro",
        /// Ranges of six digits within those of Visa, Maestro, UnionPay, and Discover: 401178,
        /// 509000–509999, …
        Elo = "elo",
        /// 606282.
        Hipercard = "hipercard",
        /// 506099–506198, 507865–507964.
        Verve = "verve",
        /// 9792.
        Troy = "troy",
        /// 8600.
        UzCard = "uzcard",
        /// 9860.
        Humo = "humo",
    }
}

/// The name and the length of a scheme's security code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SecurityCodeFormat {
    /// The name that cardholders know: `CVV`, `CVC`, …
    pub name: &'static str,
    /// The number of digits: four for American Express, three for the others.
    pub length: u8,
}

/// The minimum and the maximum number of digits of a card number (`card_number_syntax`).
pub(crate) const MIN_PAN_DIGITS: usize = 12;
pub(crate) const MAX_PAN_DIGITS: usize = 19;
/// All lengths of a card number. Each scheme uses some of them.
pub(crate) const LENGTHS: &[u8] = &[12, 13, 14, 15, 16, 17, 18, 19];
/// The digits after which a number is split for reading, unless its scheme has other groups.
pub(crate) const GROUPING: &[u8] = &[4, 8, 12];
/// The same for the short forms of American Express and Diners Club.
const SHORT_GROUPING: &[u8] = &[4, 10];

/// Declares the table of prefixes: the scheme, and its prefixes of the same length, single or as
/// ranges.
macro_rules! prefixes {
    ($($scheme:ident: $($first:literal $(..= $last:literal)?),+;)+) => {
        &[$($(prefix(&[$first $(, $last)?], Scheme::$scheme)),+),+]
    };
}

/// The prefixes of the schemes, the longest first, so that the first matching row is the longest
/// prefix.
const PREFIXES: &[Prefix] = prefixes! {
    Elo: 401178..=401179, 431274, 438935, 451416, 457393, 457631..=457632, 504175, 506699..=506778, 509000..=509999;
    Elo: 627780, 636297, 636368, 650031..=650033, 650035..=650051, 650405..=650439, 650485..=650538, 650541..=650598;
    Elo: 650700..=650718, 650720..=650727, 650901..=650978, 651652..=651679, 655000..=655019, 655021..=655058;
    Hipercard: 606282;
    Verve: 506099..=506198, 507865..=507964;
    Mastercard: 2221..=2720;
    Mir: 2200..=2204;
    Jcb: 3528..=3589;
    Discover: 6011;
    Troy: 9792;
    UzCard: 8600;
    Humo: 9860;
    Discover: 644..=649;
    DinersClub: 300..=305;
    Mastercard: 51..=55;
    AmericanExpress: 34, 37;
    UnionPay: 62, 81;
    Discover: 65;
    DinersClub: 36, 38..=39;
    Maestro: 50, 56..=59;
    Visa: 4;
    Maestro: 6;
};

/// A range of prefixes: the first one, how many follow, and the scheme.
///
/// They have six digits. In the build for pages, they have as few as possible, which takes 60 bytes
/// less after gzip.
struct Prefix {
    first: u32,
    more: Count,
    scheme: Scheme,
}

type Count = u32;

/// The maximum number of digits in a prefix.
const PREFIX_DIGITS: usize = 6;

/// Returns the row for a prefix, or for the first and the last prefix of a range, of one to six
/// digits.
#[expect(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::indexing_slicing,
    reason = "compile time"
)]
const fn prefix(range: &[u32], scheme: Scheme) -> Prefix {
    let (mut first, mut last) = (range[0], range[range.len() - 1]);
    let (low, high) = six_digits(first, last);
    assert!(
        low <= high && high < 1_000_000,
        "a row is a range of at most six digits"
    );
    (first, last) = (low, high);
    Prefix {
        first,
        more: (last - first) as Count,
        scheme,
    }
}

/// Returns the first and the last number of six digits that begin with a range of prefixes.
const fn six_digits(mut first: u32, mut last: u32) -> (u32, u32) {
    while first < 100_000 {
        (first, last) = (
            first.wrapping_mul(10),
            last.wrapping_mul(10).wrapping_add(9),
        );
    }
    (first, last)
}

fn wide(count: impl Into<u32>) -> u32 {
    count.into()
}

/// For each first digit, a bit for each second digit with which a number of a scheme can begin.
#[expect(
    clippy::as_conversions,
    clippy::indexing_slicing,
    reason = "evaluated by the compiler alone"
)]
static SECOND_DIGITS: [u16; 10] = {
    let (mut digits, mut rows) = ([0; 10], PREFIXES);
    while let [row, rest @ ..] = rows {
        let (first, last) = six_digits(row.first, row.first + row.more as u32);
        let mut pair = first / 10_000;
        while pair <= last / 10_000 {
            digits[(pair / 10) as usize] |= 1 << (pair % 10);
            pair += 1;
        }
        rows = rest;
    }
    digits
};

/// Checks if a number of a scheme can begin with these two ASCII digits.
pub(crate) fn can_begin(one: u8, two: u8) -> bool {
    SECOND_DIGITS
        .get(usize::from(one & 0x0F))
        .is_some_and(|digits| digits >> (two & 0x0F) & 1 != 0)
}

impl Scheme {
    /// Returns the scheme of a card number, or of its first digits. Expects ASCII digits, of which
    /// the first six decide.
    ///
    /// If further digits could change the scheme, the longest prefix among the digits decides: `4`
    /// is Visa, though `401178` is Elo.
    #[must_use]
    pub fn of(digits: &[u8]) -> Option<Self> {
        let first = digits.get(..PREFIX_DIGITS).unwrap_or(digits);
        if first.all_digits(0, first.len()) {
            Self::of_number(first)
        } else {
            None
        }
    }

    /// Returns the scheme of a number whose digits may have separators between them.
    pub(crate) fn of_number<T: Text>(number: T) -> Option<Self> {
        // The range of six-digit numbers that begin with these digits.
        let (mut first, mut last, mut count, mut at) = (0_u32, 0_u32, 0, number.start());
        while count < PREFIX_DIGITS {
            let (low, high) = if at < number.end() {
                (number.byte(at), number.byte(at))
            } else {
                (b'0', b'9')
            };
            at = at.wrapping_add(1);
            if !is_separator(low) {
                first = first.wrapping_mul(10).wrapping_add((low & 0x0F).into());
                last = last.wrapping_mul(10).wrapping_add((high & 0x0F).into());
                count = count.wrapping_add(1);
            }
        }
        let contains = |row: &&Prefix| {
            let (low, high) = (row.first, row.first.wrapping_add(wide(row.more)));
            low <= first && last <= high
        };
        PREFIXES.iter().find(contains).map(|row| row.scheme)
    }

    /// Returns the possible lengths of the scheme's numbers, in ascending order.
    ///
    /// They follow the public lists of issuing networks by ISO/IEC 7812, which follow the schemes'
    /// bulletins. The lengths 13 (Visa), 17 to 19, and 15 (Diners Club) are rare, but issued or
    /// reserved.
    #[must_use]
    pub const fn lengths(self) -> &'static [u8] {
        match self {
            Self::Visa => &[13, 16, 19],
            Self::AmericanExpress => &[15],
            Self::Mir | Self::UnionPay | Self::Jcb | Self::Discover => &[16, 17, 18, 19],
            Self::DinersClub => &[14, 15, 16, 17, 18, 19],
            Self::Maestro => LENGTHS,
            Self::Verve => &[16, 18, 19],
            Self::Mastercard
            | Self::Elo
            | Self::Hipercard
            | Self::Troy
            | Self::UzCard
            | Self::Humo => &[16],
        }
    }

    /// Checks if the scheme has numbers with this many digits.
    #[must_use]
    pub fn has_length(self, digits: usize) -> bool {
        (MIN_PAN_DIGITS..=MAX_PAN_DIGITS).contains(&digits)
            && u32::from(self.length_bits()) >> digits.wrapping_sub(MIN_PAN_DIGITS) & 1 != 0
    }

    /// Returns the possible lengths, one bit for each from 12 on.
    #[expect(
        clippy::as_conversions,
        clippy::indexing_slicing,
        reason = "compile time, or discriminants as indexes"
    )]
    pub(crate) fn length_bits(self) -> u8 {
        static BITS: [u8; Scheme::ALL.len()] = {
            let (mut bits, mut index) = ([0; Scheme::ALL.len()], 0);
            while index < bits.len() {
                let mut lengths = Scheme::ALL[index].lengths();
                while let [length, others @ ..] = lengths {
                    bits[index] |= 1 << (*length as usize - MIN_PAN_DIGITS);
                    lengths = others;
                }
                index += 1;
            }
            bits
        };
        BITS[self as usize]
    }

    /// Returns the digits after which a number of this length is split for reading.
    #[must_use]
    pub fn grouping(self, digits: usize) -> &'static [u8] {
        match self {
            Self::AmericanExpress => SHORT_GROUPING,
            Self::DinersClub if digits <= 14 => SHORT_GROUPING,
            _ => GROUPING,
        }
    }

    /// Returns the name and the length of the security code (`security_code_syntax`).
    ///
    /// The names follow the glossary of the PCI Security Standards Council for Visa, Mastercard,
    /// JCB, American Express, and Discover. The others follow the scheme. The 2 that distinguishes
    /// the printed code from the one on the stripe is omitted, but Mir has only CVP2.
    #[must_use]
    pub fn security_code(self) -> SecurityCodeFormat {
        let name = match self {
            Self::Visa
            | Self::DinersClub
            | Self::Verve
            | Self::Troy
            | Self::UzCard
            | Self::Humo => "CVV",
            Self::Mastercard | Self::Maestro | Self::Hipercard => "CVC",
            Self::AmericanExpress | Self::Discover => "CID",
            Self::Mir => "CVP2",
            Self::UnionPay => "CVN",
            Self::Jcb => "CAV",
            Self::Elo => "CVE",
        };
        SecurityCodeFormat {
            name,
            length: self.security_code_length(),
        }
    }

    /// Returns the number of digits of the security code.
    pub(crate) fn security_code_length(self) -> u8 {
        if self == Self::AmericanExpress { 4 } else { 3 }
    }
}

/// Checks if the text has the form of a card number (`card_number_syntax`): 12 to 19 ASCII digits.
pub(crate) fn is_number<T: Text>(digits: T) -> bool {
    (MIN_PAN_DIGITS..=MAX_PAN_DIGITS).contains(&digits.len())
        && digits.all_digits(digits.start(), digits.end())
}

/// Checks if the byte may be between the digits of a card number.
pub(crate) fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'-')
}

/// Checks if the last digit is the check digit of the others, by the Luhn algorithm
/// (`card_number_checksum`). Returns false for an empty slice and for characters other than ASCII
/// digits.
#[must_use]
pub fn luhn(digits: &[u8]) -> bool {
    !digits.is_empty() && digits.all_digits(0, digits.len()) && has_check_digit(digits)
}

/// Checks the last digit of a number whose digits may have separators between them.
pub(crate) fn has_check_digit<T: Text>(number: T) -> bool {
    /// Twice each digit, minus nine if over nine.
    const DOUBLED: [u8; 10] = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
    let (mut sum, mut doubles) = (0_u64, false);
    number.skip_back(number.start(), number.end(), |byte| {
        let digit = byte.wrapping_sub(b'0');
        // A separator has no entry.
        if let Some(doubled) = DOUBLED.get(usize::from(digit)) {
            sum = sum.wrapping_add(if doubles { *doubled } else { digit }.into());
            doubles = !doubles;
        }
        true
    });
    sum.is_multiple_of(10)
}
