//! Properties of money, compared with big rational numbers without code of the library.

use num_bigint::BigInt;
use num_rational::BigRational;
use payspec::{Amount, AmountError, Breakdown, BreakdownError, Charges, Rounding, convert};
use payspec_tests::rational::{
    DIGITS, expected_units, fits, is_decimal, rational, ten_to, units, value,
};
use proptest::prelude::*;
use rust_decimal::Decimal;

/// Returns decimal texts of at most 28 digits: random, typical, and edge cases.
fn text() -> impl Strategy<Value = String> {
    let any = (1..=DIGITS).prop_flat_map(|integer| {
        (0..=DIGITS - integer).prop_flat_map(move |fraction| {
            let digits = prop_oneof![
                "[0-9]{28}",
                Just("9".repeat(28)),
                "[05]{28}",
                "0{20,27}[1-9]{8}"
            ];
            digits.prop_map(move |digits| {
                shaped(&digits[..integer], &digits[integer..integer + fraction])
            })
        })
    });
    let everyday = (0..10_000_000_u64, 0..=2_usize).prop_map(|(minor, scale)| {
        let digits = format!("{minor:0>width$}", width = scale + 1);
        let (integer, fraction) = digits.split_at(digits.len() - scale);
        shaped(integer, fraction)
    });
    prop_oneof![2 => any, 1 => everyday]
}

fn shaped(integer: &str, fraction: &str) -> String {
    let integer = integer.trim_start_matches('0');
    let integer = if integer.is_empty() { "0" } else { integer };
    if fraction.is_empty() {
        integer.to_owned()
    } else {
        format!("{integer}.{fraction}")
    }
}

fn amount() -> impl Strategy<Value = Amount> {
    text().prop_map(|text| text.parse::<Amount>().expect("at most 28 digits"))
}

fn rate() -> impl Strategy<Value = Amount> {
    amount().prop_filter("a rate is not zero", |rate| !rate.is_zero())
}

fn rounding() -> impl Strategy<Value = Rounding> {
    prop::sample::select(Rounding::ALL.to_vec())
}

fn integer(number: i32) -> BigRational {
    BigRational::from_integer(number.into())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn accepts_the_grammar_only(text in "[0-9.]{0,31}|[0-9+_e., -]{0,8}|\\PC{0,6}") {
        let digits = text.chars().filter(char::is_ascii_digit).count();
        match text.parse::<Amount>() {
            Ok(_) => prop_assert!(is_decimal(&text) && digits <= DIGITS),
            Err(AmountError::Syntax) => prop_assert!(!is_decimal(&text)),
            Err(AmountError::TooManyDigits) => prop_assert!(is_decimal(&text) && digits > DIGITS),
            Err(other) => prop_assert!(false, "{other}"),
        }
    }

    #[test]
    fn keeps_the_text_of_an_amount(text in text(), min_scale in 0..30_u32) {
        let amount = text.parse::<Amount>().expect("at most 28 digits");
        prop_assert_eq!(amount.to_string(), text.as_str());
        prop_assert_eq!(Amount::try_from(Decimal::from(amount)), Ok(amount));

        let mut out = Vec::new();
        amount.write(min_scale, &mut out);
        let written = String::from_utf8(out).expect("ASCII");
        prop_assert!(is_decimal(&written));
        prop_assert_eq!(rational(&written), rational(&text));
        let fraction = written.split_once('.').map_or("", |(_, fraction)| fraction);
        let expected_scale = min_scale.min(28) as usize;
        prop_assert!(fraction.len() == expected_scale || fraction.len() > expected_scale && !fraction.ends_with('0'));

        let json = serde_json::to_string(&amount).expect("a string");
        prop_assert_eq!(&json, &format!("\"{text}\""));
        let read: Amount = serde_json::from_str(&json).expect("the same");
        prop_assert_eq!(read.to_string(), text);
    }

    #[test]
    fn orders_amounts_by_value(a in amount(), b in amount()) {
        prop_assert_eq!(a.cmp(&b), value(a).cmp(&value(b)));
        prop_assert_eq!(a == b, value(a) == value(b));
    }

    #[test]
    fn returns_exact_sums_and_differences_or_none(a in amount(), b in amount()) {
        let (sum, difference) = (value(a) + value(b), value(a) - value(b));
        match a.checked_add(b) {
            Some(found) => prop_assert_eq!(value(found), sum),
            None => prop_assert!(!fits(&sum)),
        }
        match a.checked_sub(b) {
            Some(found) => prop_assert_eq!(value(found), difference),
            None => prop_assert!(difference < integer(0) || !fits(&difference)),
        }
    }

    #[test]
    fn rounds_a_conversion_once(a in amount(), r in rate(), scale in 0..=18_u32, rounding in rounding()) {
        let expected = expected_units(a, r, scale, rounding);
        match convert(a, r, scale, rounding) {
            Some(found) => {
                prop_assert_eq!(found.scale(), scale);
                prop_assert_eq!(units(found, scale), expected);
            }
            None => prop_assert!(expected >= ten_to(DIGITS)),
        }
    }

    /// `n` halves of a unit at a rate of 2: half of the cases are exactly in the middle.
    #[test]
    fn detects_a_tie_of_any_length(n in 0..u64::MAX, scale in 0..=18_u32, factor in 1..1000_u64, rounding in rounding()) {
        let a = Amount::try_from(rust_decimal(u128::from(n) * u128::from(factor), scale)).expect("fits");
        let r = Amount::try_from(rust_decimal(2 * u128::from(factor), 0)).expect("fits");
        let found = convert(a, r, scale, rounding).expect("smaller than the amount");
        prop_assert_eq!(units(found, scale), expected_units(a, r, scale, rounding));
    }

    #[test]
    fn returns_none_for_large_scales_and_zero_rates(a in amount(), r in rate(), scale in 19..=u32::MAX) {
        prop_assert_eq!(convert(a, r, scale, Rounding::Down), None);
        prop_assert_eq!(convert(a, Amount::ZERO, scale % 19, Rounding::Down), None);
    }

    #[test]
    fn never_converts_more_money_to_less_usdt(a in amount(), b in amount(), r in rate(), s in rate(), scale in 0..=18_u32,
                                     rounding in rounding()) {
        let (less, more) = (a.min(b), a.max(b));
        if let (Some(of_less), Some(of_more)) = (convert(less, r, scale, rounding), convert(more, r, scale, rounding)) {
            prop_assert!(of_less <= of_more);
        }
        let (low, high) = (r.min(s), r.max(s));
        if let (Some(at_low), Some(at_high)) = (convert(a, low, scale, rounding), convert(a, high, scale, rounding)) {
            prop_assert!(at_high <= at_low);
        }
    }

    #[test]
    fn halves_the_usdt_at_twice_the_rate(a in amount(), r in rate(), scale in 0..=18_u32, rounding in rounding()) {
        let Some(twice) = r.checked_add(r) else { return Ok(()) };
        let (Some(at_rate), Some(at_twice)) = (convert(a, r, scale, rounding), convert(a, twice, scale, rounding))
        else { return Ok(()) };
        let (at_rate, at_twice) = (units(at_rate, scale), units(at_twice, scale));
        match rounding {
            // Rounding down (up) in two steps is rounding down (up) in one: exact.
            Rounding::Down => prop_assert_eq!(at_twice, at_rate / 2),
            Rounding::Up => prop_assert_eq!(at_twice, (at_rate + 1) / 2),
            _ => {
                let apart = at_twice * 2 - at_rate;
                prop_assert!(apart >= BigInt::from(-1) && apart <= BigInt::from(1));
            }
        }
    }

    #[test]
    fn keeps_the_usdt_for_twice_the_amount_at_twice_the_rate(a in amount(), r in rate(), scale in 0..=18_u32,
                                                      rounding in rounding()) {
        if let (Some(twice_a), Some(twice_r)) = (a.checked_add(a), r.checked_add(r)) {
            prop_assert_eq!(convert(twice_a, twice_r, scale, rounding), convert(a, r, scale, rounding));
        }
        prop_assert_eq!(
            convert(Amount::try_from(Decimal::from(a).normalize()).expect("fits"), r, scale, rounding),
            convert(a, r, scale, rounding)
        );
    }

    #[test]
    fn keeps_the_identities_in_usdt(gross in amount(), fee in amount(), commission in amount(), shared in amount(),
                               r in rate(), rounding in rounding()) {
        let (shared, commission) = (shared.min(commission), shared.max(commission));
        let charges = Charges::new(fee, commission, shared).expect("a part of it");
        for scale in 0..=18 {
            check(Breakdown::usdt(gross, &charges, r, scale, rounding), |part| convert(part, r, scale, rounding),
                  gross, &charges)?;
        }
        check(Breakdown::fiat(gross, &charges), Some, gross, &charges)?;
    }

    /// Charges are a small part of the amount, as in practice, so nearly all cases succeed.
    #[test]
    fn keeps_the_identities_for_common_charges(minor in 1..10_000_000_000_u64, fee in 0..200_u64, commission in 0..800_u64,
                                            share in 0..=10_u64, rate in 1..1_000_000_u64, rounding in rounding()) {
        let amount = |minor: u64| Amount::try_from(rust_decimal(minor.into(), 2)).expect("fits");
        let commission = minor * commission / 1000;
        let part = amount(commission * share / 10);
        let charges = Charges::new(amount(minor * fee / 1000), amount(commission), part).expect("a part of it");
        let (gross, r) = (amount(minor), amount(rate));
        for scale in 0..=18 {
            check(Breakdown::usdt(gross, &charges, r, scale, rounding), |part| convert(part, r, scale, rounding),
                  gross, &charges)?;
        }
        check(Breakdown::fiat(gross, &charges), Some, gross, &charges)?;
    }
}

fn rust_decimal(mantissa: u128, scale: u32) -> Decimal {
    Decimal::from_i128_with_scale(mantissa.try_into().expect("small"), scale)
}

/// Checks that a breakdown consists of the converted parts and adds up exactly, and that each error
/// is justified.
fn check(
    made: Result<Breakdown, BreakdownError>,
    converted: impl Fn(Amount) -> Option<Amount>,
    gross: Amount,
    charges: &Charges,
) -> Result<(), TestCaseError> {
    let parts = || {
        let shared_commission = converted(charges.shared_commission())?;
        Some((
            converted(gross)?,
            converted(charges.fee())?,
            converted(charges.commission())?,
            shared_commission,
        ))
    };
    match made {
        Ok(made) => {
            let parts = parts().expect("all convert");
            prop_assert_eq!(
                (
                    made.gross_amount,
                    made.fee,
                    made.commission,
                    made.shared_commission
                ),
                parts
            );
            prop_assert_eq!(made.amount, made.gross_amount);
            let deducted = value(made.fee) + value(made.commission);
            prop_assert_eq!(value(made.total), value(made.gross_amount) + &deducted);
            prop_assert_eq!(
                value(made.net_processed),
                value(made.gross_amount) - deducted
            );
            prop_assert!(made.shared_commission <= made.commission);
        }
        Err(BreakdownError::TooSmall) => {
            prop_assert!(converted(gross).is_some_and(Amount::is_zero))
        }
        Err(BreakdownError::ChargesExceedAmount) => {
            let (gross, fee, commission, _) = parts().expect("all convert");
            prop_assert!(value(fee) + value(commission) > value(gross));
        }
        Err(BreakdownError::TooLarge) => {
            let all_fit = parts().is_some_and(|(gross, fee, commission, _)| {
                let deducted = value(fee) + value(commission);
                fits(&deducted)
                    && fits(&(value(gross) + &deducted))
                    && fits(&(value(gross) - deducted))
            });
            prop_assert!(!all_fit);
        }
        Err(other) => prop_assert!(false, "{other}"),
    }
    Ok(())
}

#[test]
fn rejects_a_json_number_without_repeating_it() {
    for json in [
        "4111111111111111",
        "-4111111111111111",
        "411111111111.1111",
        "\"4111 1111\"",
        "\"4111111111111111.\"",
    ] {
        let error = serde_json::from_str::<Amount>(json)
            .expect_err(json)
            .to_string();
        assert!(
            error.starts_with("expected a decimal string") && !error.contains("4111"),
            "{error}"
        );
    }
}
