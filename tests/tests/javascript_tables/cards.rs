//! The tables from which `payspec/card` recognizes card numbers.

use super::javascript::{constant, list};
use super::prefixes::{Issuer, Range, index, ranges};
use payspec::card::{CardInfo, Scheme, card_info};
use payspec::{CreateRequest, Engine};

/// Returns the tables in JavaScript.
pub(crate) fn tables() -> String {
    [
        schemes(),
        prefixes(),
        constant(
            "The lengths of a card number.",
            "LENGTHS",
            &format!("[{}]", joined(unknown().lengths)),
        ),
        constant(
            "The usual gaps.",
            "GAPS",
            &format!("[{}]", joined(unknown().grouping)),
        ),
        visible_digits(),
        constant(
            "The mask of a text that is too long.",
            "TOO_LONG",
            &format!("\"{}\"", masked(max_digits() + 1)),
        ),
        century(),
    ]
    .concat()
}

fn schemes() -> String {
    let schemes = Scheme::ALL.iter().map(|scheme| {
        let code = scheme.security_code();
        let lengths = joined(scheme.lengths());
        format!(
            "{}|{}|{}|{lengths}|{}",
            scheme.name(),
            code.name,
            code.length,
            special_gaps(*scheme)
        )
    });
    list(
        "The schemes: name, name and length of the security code, lengths, special gaps, and most digits with them.",
        "SCHEMES",
        schemes,
    )
}

/// Returns the gaps of a scheme if they differ from the usual ones, and the most digits that have
/// them.
fn special_gaps(scheme: Scheme) -> String {
    let usual = unknown().grouping;
    let gaps = scheme.grouping(0);
    let has_gaps = |digits: &usize| scheme.grouping(*digits) == gaps;
    if gaps == usual {
        assert!((0..100).all(|digits| has_gaps(&digits)), "{scheme}");
        return String::from("|");
    }
    let most = (0..max_digits())
        .take_while(|digits| has_gaps(&(digits + 1)))
        .count();
    if most == max_digits() {
        assert!((0..100).all(|digits| has_gaps(&digits)), "{scheme}");
        return format!("{}|", joined(gaps));
    }
    assert!(
        (most + 1..100).all(|digits| scheme.grouping(digits) == usual),
        "{scheme}"
    );
    format!("{}|{most}", joined(gaps))
}

fn prefixes() -> String {
    let ranges = ranges();
    let lines = ranges
        .chunk_by(|one, next| one.issuer == next.issuer)
        .map(|of_one_issuer| {
            let texts: Vec<String> = of_one_issuer.iter().map(prefix_or_range).collect();
            let Issuer { scheme, lengths } = of_one_issuer[0].issuer;
            let line = format!("{}|{}", index(scheme), texts.join(","));
            if lengths == scheme.lengths() {
                line
            } else {
                format!("{line}|{}", joined(lengths))
            }
        });
    list(
        "The prefixes: index of the scheme, its prefixes or ranges, and the lengths of their numbers if they differ from those of the scheme. The first that contains the digits decides.",
        "PREFIXES",
        lines,
    )
}

/// Returns a range as the shortest prefix or range of prefixes.
fn prefix_or_range(range: &Range) -> String {
    let (mut first, mut last) = range.numbers.clone().into_inner();
    while first % 10 == 0 && last % 10 == 9 && last > 9 {
        (first, last) = (first / 10, last / 10);
    }
    if first == last {
        first.to_string()
    } else {
        format!("{first}-{last}")
    }
}

fn visible_digits() -> String {
    let visible = (0..=max_digits()).map(|digits| {
        let masked = masked(digits);
        let first = masked.find('*').unwrap_or(digits);
        let last = masked.rfind('*').map_or(0, |last| digits - last - 1);
        format!("[{first},{last}]")
    });
    let visible: Vec<String> = visible.collect();
    constant(
        "The first and last digits that a mask shows of a number with so many digits (D22).",
        "VISIBLE",
        &format!("[{}]", visible.join(",")),
    )
}

fn century() -> String {
    let century = expiry_year(0);
    assert!((0..100).all(|year| expiry_year(year) == century + year));
    constant(
        "The century of a year of two digits (D23).",
        "CENTURY",
        &century.to_string(),
    )
}

/// Returns the year that the library reads for a year of two digits.
fn expiry_year(year: u16) -> u16 {
    let body = format!(
        r#"{{"payment_type":"pay_in","mode":"P2P","subtype":"bank_card","cur":"RUB","amount":"1","pay_in_details":{{"card":{{"expiry_year":{year}}}}}}}"#
    );
    let engine = Engine::default();
    let (request, _) = engine
        .parse_request(body.as_bytes(), None)
        .expect("a valid request");
    let CreateRequest::PayIn(request) = request else {
        panic!("a pay-in")
    };
    let card = request.pay_in_details.and_then(|details| details.card);
    let year = card.and_then(|card| card.expiry_year);
    year.expect("the body has a year")
}

/// Returns the facts about a card of an unknown scheme.
fn unknown() -> CardInfo {
    card_info("")
}

fn max_digits() -> usize {
    let longest = unknown().lengths.last().copied();
    longest.expect("a card number has lengths").into()
}

/// Returns the mask of so many digits.
fn masked(digits: usize) -> String {
    card_info(&"1".repeat(digits)).masked.to_string()
}

fn joined(numbers: &[u8]) -> String {
    let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    texts.join(",")
}
