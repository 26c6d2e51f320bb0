//! Amounts as big rational numbers, without code of the library.

use num_bigint::BigInt;
use num_rational::BigRational;
use payspec::{Amount, Rounding};

/// The maximum number of digits of an amount.
pub const DIGITS: usize = 28;

/// Returns a power of ten.
///
/// # Panics
/// Panics if the exponent is not a `u32`.
pub fn ten_to(exponent: usize) -> BigInt {
    BigInt::from(10).pow(u32::try_from(exponent).expect("small"))
}

/// Returns the value of a decimal text.
///
/// # Panics
/// Panics if the text is not a decimal.
pub fn rational(text: &str) -> BigRational {
    let (integer, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{integer}{fraction}").parse().expect("digits");
    BigRational::new(digits, ten_to(fraction.len()))
}

/// Returns the value of an amount.
pub fn value(amount: Amount) -> BigRational {
    rational(&amount.to_string())
}

/// Returns the number of units of the last of `scale` decimal places.
///
/// # Panics
/// Panics if the amount has more decimal places.
pub fn units(amount: Amount, scale: u32) -> BigInt {
    let units = value(amount) * ten_to(scale as usize);
    assert!(units.is_integer(), "more than {scale} decimal places");
    units.to_integer()
}

/// Returns whether a decimal of at most 28 digits has this value.
pub fn fits(value: &BigRational) -> bool {
    let scale = (0..DIGITS).find(|scale| (value * ten_to(*scale)).is_integer());
    scale.is_some_and(|scale| value * ten_to(scale) < BigRational::from_integer(ten_to(DIGITS)))
}

/// Returns the quotient in units of the last decimal place, by the definition of each rounding.
pub fn expected_units(amount: Amount, rate: Amount, scale: u32, rounding: Rounding) -> BigInt {
    let exact = value(amount) / value(rate) * ten_to(scale as usize);
    let (down, up) = (exact.floor().to_integer(), exact.ceil().to_integer());
    let to_down = &exact - BigRational::from_integer(down.clone());
    let half = BigRational::new(1.into(), 2.into());
    let middle = match rounding {
        Rounding::HalfUp => up.clone(),
        Rounding::HalfDown => down.clone(),
        Rounding::HalfEven if &down % 2 == BigInt::ZERO => down.clone(),
        Rounding::HalfEven => up.clone(),
        Rounding::Up => return up,
        Rounding::Down => return down,
        other => panic!("a rounding without a model: {other}"),
    };
    match to_down.cmp(&half) {
        std::cmp::Ordering::Less => down,
        std::cmp::Ordering::Equal => middle,
        std::cmp::Ordering::Greater => up,
    }
}

/// Returns whether a text has the grammar of an amount. Independent of the library.
pub fn is_decimal(text: &str) -> bool {
    let (integer, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    digits(integer) && digits(fraction) && (integer == "0" || !integer.starts_with('0'))
}
