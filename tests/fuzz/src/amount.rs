//! Compares amounts with big fractions: parsing, printing, order, sums, conversion and its
//! rounding, also through JSON.

use payspec::{Amount, AmountError, Breakdown, Charges, Decimal, Rounding, convert};
use payspec_tests::call;
use payspec_tests::json::Json;
use payspec_tests::rational::{
    DIGITS, expected_units, fits, is_decimal, rational, ten_to, units, value,
};

/// Input: a byte for the rounding, one for the scale, then one decimal per line: amount, rate,
/// charges.
pub(crate) fn run(bytes: &[u8]) {
    let [rounding, scale, texts @ ..] = bytes else {
        return;
    };
    let rounding = Rounding::ALL[usize::from(*rounding) % Rounding::ALL.len()];
    // Two more than the range 0–18.
    let scale = u32::from(*scale) % 21;
    let Ok(texts) = str::from_utf8(texts) else {
        return;
    };
    let mut amounts = texts.split('\n').take(5).map(|text| read(text, scale));
    let mut next = || amounts.next().flatten();
    let (Some(amount), Some(rate)) = (next(), next()) else {
        return;
    };
    compare(amount, rate);
    converted(amount, rate, scale, rounding);
    if let (Some(fee), Some(commission)) = (next(), next()) {
        check_breakdown(
            amount,
            rate,
            scale,
            rounding,
            fee,
            commission,
            next().unwrap_or(Amount::ZERO),
        );
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let texts = [
        "100.00\n92.45\n1.00\n2.00\n0.50",
        "0\n0",
        "0.000000000000000001\n999999999999999999",
        "999999999999999999.999999999999999999\n0.1",
        "9999999999999999999999999999\n9999999999999999999999999999",
        "0.0000000000000000000000000001\n0.0000000000000000000000000001",
        "1\n3\n0\n0.1\n0.1",
        "2.5\n1\n0.5\n1.5\n0.5",
        "01\n.5\n1.\n+1\n1e5",
    ];
    let heads = (0..5_u8).flat_map(|rounding| [0, 2, 6, 18, 19].map(|scale| [rounding, scale]));
    heads
        .flat_map(|head| texts.map(|text| [&head, text.as_bytes()].concat()))
        .collect()
}

/// Parses the text, compares the result with a second grammar, and checks that it prints unchanged.
fn read(text: &str, min_scale: u32) -> Option<Amount> {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let amount = match text.parse::<Amount>() {
        Ok(amount) => amount,
        Err(AmountError::Syntax) => return assert_none(!is_decimal(text), text),
        Err(AmountError::TooManyDigits) => {
            return assert_none(is_decimal(text) && digits > DIGITS, text);
        }
        Err(other) => panic!("{other}: {text}"),
    };
    assert!(
        is_decimal(text) && digits <= DIGITS,
        "{text} is not an amount"
    );
    assert_eq!(amount.to_string(), text);
    assert_eq!(
        Amount::try_from(Decimal::from(amount)),
        Ok(amount),
        "{text} through a Decimal"
    );
    assert_eq!(amount.is_zero(), value(amount) == rational("0"), "{text}");
    let mut out = Vec::new();
    amount.write(min_scale, &mut out);
    let written = String::from_utf8(out).expect("ASCII");
    assert!(is_decimal(&written), "{text} is written as {written}");
    assert_eq!(
        rational(&written),
        rational(text),
        "{text} is written as {written}"
    );
    Some(amount)
}

fn assert_none(is_right: bool, text: &str) -> Option<Amount> {
    assert!(is_right, "rejected for the wrong reason: {text:?}");
    None
}

fn compare(a: Amount, b: Amount) {
    assert_eq!(
        a.cmp(&b),
        value(a).cmp(&value(b)),
        "the order of {a} and {b}"
    );
    let (sum, difference) = (value(a) + value(b), value(a) - value(b));
    match a.checked_add(b) {
        Some(found) => assert_eq!(value(found), sum, "{a} + {b}"),
        None => assert!(!fits(&sum), "{a} + {b} has a sum"),
    }
    match a.checked_sub(b) {
        Some(found) => assert_eq!(value(found), difference, "{a} - {b}"),
        None => assert!(
            difference < rational("0") || !fits(&difference),
            "{a} - {b} has a difference"
        ),
    }
}

fn converted(amount: Amount, rate: Amount, scale: u32, rounding: Rounding) {
    let found = convert(amount, rate, scale, rounding);
    let expected =
        (scale <= 18 && !rate.is_zero()).then(|| expected_units(amount, rate, scale, rounding));
    match (found, &expected) {
        (Some(found), Some(expected)) => {
            assert_eq!(
                (&units(found, scale), found.scale()),
                (expected, scale),
                "{amount} / {rate} {rounding:?}"
            );
        }
        (None, Some(expected)) => assert!(
            *expected >= ten_to(DIGITS),
            "{amount} / {rate} has a quotient"
        ),
        (None, None) => {}
        (Some(_), None) => panic!("{amount} / {rate} to {scale} places"),
    }
    // The same through `convert` in JSON, whose result depends on the age of the quote too.
    let name = rounding.name();
    let Ok(engine) = call::engine(Some(&format!(
        r#"{{"crypto":{{"scale":{scale},"rounding":"{name}"}}}}"#
    ))) else {
        return assert!(scale > 18, "a scale of {scale} is rejected");
    };
    let quote = format!(r#"{{"currency":"RUB","rate":"{rate}","as_of":"2026-05-15T10:00:00Z"}}"#);
    let context = format!(r#"{{"amount":"{amount}","currency":"RUB","quote":{quote}}}"#);
    let answer = call::answer(&engine, "convert", &[Some(context.as_bytes())]);
    let json = Json::parse(&answer.text).expect("JSON");
    if answer.returns == 0 {
        let text = json
            .get("body")
            .and_then(|body| body.get("amount"))
            .and_then(Json::as_str)
            .expect("an amount");
        let expected = expected.expect("a quotient");
        assert_eq!(
            rational(text) * ten_to(scale as usize),
            expected.into(),
            "{amount} / {rate} {rounding:?}"
        );
    }
}

/// Checks the identities between the amounts of a payment, which are exact.
fn check_breakdown(
    gross: Amount,
    rate: Amount,
    scale: u32,
    rounding: Rounding,
    fee: Amount,
    commission: Amount,
    shared: Amount,
) {
    let Ok(charges) = Charges::new(fee, commission, shared) else {
        return assert!(
            shared > commission,
            "charges of {fee}, {commission}, {shared} are rejected"
        );
    };
    for breakdown in [
        Breakdown::usdt(gross, &charges, rate, scale, rounding),
        Breakdown::fiat(gross, &charges),
    ] {
        let Ok(breakdown) = breakdown else { continue };
        let deducted = value(breakdown.fee) + value(breakdown.commission);
        assert_eq!(breakdown.amount, breakdown.gross_amount);
        assert_eq!(
            value(breakdown.total),
            value(breakdown.gross_amount) + &deducted,
            "the total of {gross} at {rate}"
        );
        assert_eq!(
            value(breakdown.net_processed),
            value(breakdown.gross_amount) - deducted,
            "the net of {gross} at {rate}"
        );
        assert!(
            breakdown.shared_commission <= breakdown.commission,
            "the shared part of {commission} at {rate}"
        );
    }
}
