//! Card schemes with their prefixes, lengths, and security codes, and the check digit.

#[cfg(test)]
mod tests;

use crate::util::bytes::all_digits;
use crate::util::string_enum::string_enum;

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
        /// 3528–3589, and 1800 and 2131 with 15 digits.
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
        /// 508500–508999, 606985–607984, 608001–608500, 652150–653149, 817200–820199.
        RuPay = "rupay",
        /// 9704.
        Napas = "napas",
        /// 9112.
        Belkart = "belkart",
        /// 9417.
        Elcart = "elcart",
        /// 9804.
        Prostir = "prostir",
        /// 2205, which PayPak has as well.
        Borica = "borica",
        /// 1946.
        Gpn = "gpn",
    }
}

/// The name and the length of a scheme's security code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SecurityCodeFormat {
    /// The name that cardholders know: `CVV`, `CVC`, …
    pub name: &'static str,
    /// The number of digits: four for American Express, three for the others.
    pub length: u8,
}

/// All lengths of a card number. Each scheme uses some of them.
pub(crate) const LENGTHS: &[u8] = &[12, 13, 14, 15, 16, 17, 18, 19];
/// The digits after which a number is split for reading, unless its scheme has other groups.
pub(crate) const GROUPING: &[u8] = &[4, 8, 12];
/// The same for the short forms of American Express and Diners Club.
const SHORT_GROUPING: &[u8] = &[4, 10];

/// The prefixes from `first` to `last`, as numbers of six digits, and the issuer of all numbers
/// that begin with one of them.
struct Prefixes {
    first: u32,
    last: u32,
    issuer: Issuer,
}

/// The scheme of a card number, and the lengths of the numbers with its prefix.
#[derive(Clone, Copy)]
pub(crate) struct Issuer {
    pub(crate) scheme: Scheme,
    /// In ascending order.
    pub(crate) lengths: &'static [u8],
}

/// The maximum number of digits in a prefix.
const PREFIX_DIGITS: usize = 6;

/// Declares the table of prefixes. A row is a scheme and its prefixes of the same length, single or
/// as ranges.
macro_rules! prefixes {
    ($($scheme:ident: $($first:literal $(..= $last:literal)?),+;)+) => {
        &[$($(prefixes(&[$first $(, $last)?], Scheme::$scheme)),+),+]
    };
}

/// The prefixes of the schemes, the longest first, so that the first matching row is the longest
/// prefix.
///
/// The book has the addresses of lists that state the prefixes, and the prefixes for which it has
/// fewer than two (`docs/src/reference/card-data.md`). These rows were compared with:
///
/// - RuPay: `PayuUtils.getIssuer` of the Android library of PayU and the validators of cards of
///   other Indian services, for example `817[2-9]|81[89]|820[01]`
/// - Verve, Napas, Borica, GPN: the article "Payment card number" of Wikipedia; Napas also in lists
///   of payment pages (`^9704\d{12}$`)
/// - Belkart, Prostir: the forms of beGateway (`CardType`: `^9112`, `^9804`), and lists of payment
///   pages
/// - Elcart: lists of payment pages (`^9417`), and applications of banks in Kyrgyzstan
/// - JCB 1800, 2131: credit-card-type 10.3.0, and the article of Wikipedia
///
/// The prefixes that begin with 9 also follow from ISO/IEC 7812: 9 and the number of the country.
const PREFIXES: &[Prefixes] = prefixes! {
    Elo: 401178..=401179, 431274, 438935, 451416, 457393, 457631..=457632, 504175;
    Elo: 506699..=506778, 509000..=509999, 627780, 636297, 636368;
    Elo: 650031..=650033, 650035..=650051, 650405..=650439, 650485..=650538, 650541..=650598;
    Elo: 650700..=650718, 650720..=650727, 650901..=650978, 651652..=651679;
    Elo: 655000..=655019, 655021..=655058;
    Hipercard: 606282;
    Verve: 506099..=506198, 507865..=507964;
    RuPay: 508500..=508999, 606985..=607984, 608001..=608500, 652150..=653149, 817200..=820199;
    Mastercard: 2221..=2720;
    Mir: 2200..=2204;
    Borica: 2205;
    Jcb: 1800, 2131, 3528..=3589;
    Gpn: 1946;
    Discover: 6011;
    Troy: 9792;
    UzCard: 8600;
    Humo: 9860;
    Belkart: 9112;
    Elcart: 9417;
    Napas: 9704;
    Prostir: 9804;
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

/// Returns the row for a prefix, or for the first and the last prefix of a range, of one to six
/// digits.
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "evaluated by the compiler alone"
)]
const fn prefixes(range: &[u32], scheme: Scheme) -> Prefixes {
    let mut first = range[0];
    let mut last = range[range.len() - 1];
    // The former prefixes of JCB. The numbers of 15 digits that begin with 35 are IMEIs.
    let lengths = match (scheme, first) {
        (Scheme::Jcb, 1800 | 2131) => &[15],
        _ => scheme.lengths(),
    };
    while first < 100_000 {
        first *= 10;
        last = last * 10 + 9;
    }
    assert!(
        first <= last && last < 1_000_000,
        "a row is a range of at most six digits"
    );
    Prefixes {
        first,
        last,
        issuer: Issuer { scheme, lengths },
    }
}

/// Checks if a number of a scheme may begin with these digits, of which the first two decide.
///
/// Most groups in texts belong to identifiers and times. Without this test, the search of a text
/// computes ten times as many checksums.
pub(super) fn may_begin_number(digits: &[u8]) -> bool {
    let [first, second, ..] = digits else {
        return false;
    };
    let number = usize::from(first & 0x0F).saturating_mul(10);
    let number = number.saturating_add(usize::from(second & 0x0F));
    ROWS.get(number).is_some_and(|rows| *rows != 0)
}

/// The rows of [`PREFIXES`] that have numbers with two first digits, one bit for each row.
///
/// Most digits have at most two rows, so a number is not compared with all of them.
#[expect(
    clippy::indexing_slicing,
    clippy::as_conversions,
    reason = "evaluated by the compiler alone"
)]
static ROWS: [u64; 100] = {
    let mut rows = [0; 100];
    let mut row = 0;
    while row < PREFIXES.len() {
        let mut number = PREFIXES[row].first / 10_000;
        while number <= PREFIXES[row].last / 10_000 {
            rows[number as usize] |= 1 << row;
            number += 1;
        }
        row += 1;
    }
    rows
};

/// Returns the first row that contains all numbers of six digits from `first` to `last`.
fn row(first: u32, last: u32) -> Option<&'static Prefixes> {
    let contains = |row: &&Prefixes| row.first <= first && last <= row.last;
    let two_digits = |number: u32| number.checked_div(10_000);
    if two_digits(first) != two_digits(last) {
        return PREFIXES.iter().find(contains);
    }
    let number = usize::try_from(two_digits(first)?).ok()?;
    let mut rows = ROWS.get(number).copied()?;
    while rows != 0 {
        let index = rows.trailing_zeros();
        let row = PREFIXES.get(usize::try_from(index).ok()?)?;
        if contains(&row) {
            return Some(row);
        }
        rows ^= 1 << index;
    }
    None
}

impl Scheme {
    /// Returns the scheme of a card number, or of its first digits. Expects ASCII digits, of which
    /// the first six decide.
    ///
    /// If further digits could change the scheme, the longest prefix among the digits decides: `4`
    /// is Visa, though `401178` is Elo.
    ///
    /// ```
    /// use payspec::card::Scheme;
    ///
    /// assert_eq!(Scheme::from_digits(b"4111111111111111"), Some(Scheme::Visa));
    /// assert_eq!(Scheme::from_digits(b"411 111"), None);
    /// ```
    #[must_use]
    pub fn from_digits(digits: &[u8]) -> Option<Self> {
        Issuer::from_digits(digits).map(|issuer| issuer.scheme)
    }

    /// Returns the possible lengths of the scheme's numbers, in ascending order.
    ///
    /// They follow the public lists of issuing networks by ISO/IEC 7812, which follow the schemes'
    /// bulletins. The lengths 13 (Visa), 17 to 19, and 15 (Diners Club) are rare, but issued or
    /// reserved.
    ///
    /// The numbers of JCB that begin with 1800 or 2131 have 15 digits, which are not listed here.
    /// [`card_info`](crate::card::card_info) returns the lengths for given digits.
    #[must_use]
    pub const fn lengths(self) -> &'static [u8] {
        match self {
            Self::Visa => &[13, 16, 19],
            Self::AmericanExpress => &[15],
            Self::Mir | Self::Jcb | Self::Discover => &[16, 17, 18, 19],
            Self::DinersClub | Self::UnionPay => &[14, 15, 16, 17, 18, 19],
            Self::Maestro => LENGTHS,
            Self::Verve => &[16, 18, 19],
            Self::Napas => &[16, 19],
            Self::Mastercard
            | Self::Elo
            | Self::Hipercard
            | Self::Troy
            | Self::UzCard
            | Self::Humo
            | Self::RuPay
            | Self::Belkart
            | Self::Elcart
            | Self::Prostir
            | Self::Borica
            | Self::Gpn => &[16],
        }
    }

    /// Checks if [`Scheme::lengths`] contains this number of digits.
    #[must_use]
    pub fn has_length(self, digits: usize) -> bool {
        has_length(self.lengths(), digits)
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
            | Self::Humo
            | Self::RuPay
            | Self::Napas
            | Self::Belkart
            | Self::Elcart
            | Self::Prostir
            | Self::Borica
            | Self::Gpn => "CVV",
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

impl Issuer {
    /// Returns the issuer of a card number, or of its first digits, like [`Scheme::from_digits`].
    pub(crate) fn from_digits(digits: &[u8]) -> Option<Self> {
        let first = digits.get(..PREFIX_DIGITS).unwrap_or(digits);
        if all_digits(first) {
            Self::from_first_digits(first.iter().copied())
        } else {
            None
        }
    }

    /// Checks if the issuer's numbers of a length may have no check digit: UnionPay has issued some.
    pub(crate) fn may_lack_check_digit(self, length: usize) -> bool {
        self.scheme == Scheme::UnionPay && self.has_length(length)
    }

    /// Returns the issuer of a card number, of which at most the first six digits are read.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "a number of six digits fits in 32 bits"
    )]
    pub(super) fn from_first_digits(digits: impl Iterator<Item = u8>) -> Option<Self> {
        // The range of six-digit numbers that begin with these digits.
        let (mut first, mut last) = (0, 0);
        let mut digits = digits.map(|digit| u32::from(digit & 0x0F));
        for _ in 0..PREFIX_DIGITS {
            let digit = digits.next();
            first = first * 10 + digit.unwrap_or(0);
            last = last * 10 + digit.unwrap_or(9);
        }
        row(first, last).map(|row| row.issuer)
    }

    /// Checks if the issuer has numbers with this many digits.
    pub(crate) fn has_length(self, digits: usize) -> bool {
        has_length(self.lengths, digits)
    }
}

fn has_length(lengths: &[u8], digits: usize) -> bool {
    lengths.iter().any(|length| usize::from(*length) == digits)
}
