//! Card numbers that pass Luhn.

/// Returns a card number with a valid check digit, another one for each number.
pub(crate) fn card_number(number: u64) -> String {
    let digits = format!("453957{number:09}");
    let sum: u32 = digits
        .chars()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let digit = digit.to_digit(10).unwrap();
            match place % 2 {
                0 if digit > 4 => digit * 2 - 9,
                0 => digit * 2,
                _ => digit,
            }
        })
        .sum();
    format!("{digits}{}", (10 - sum % 10) % 10)
}
