//! Bodies that cost as much as a body of their size can, in one way each.

use std::fmt::Write;

/// The operations that read a whole body.
pub const OPERATIONS: [&str; 3] = ["validate_request", "redact", "fingerprint_request"];

/// The bytes of a small one; a large one has sixteen times as many.
const SIZE: usize = 2048;
/// The same where objects and arrays nest: enough to see whether the work goes with the depth.
const NESTED: usize = 256;
/// What every one of them begins with.
const HEAD: &str = r#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50""#;

/// One kind, in both sizes.
pub struct Worst {
    /// What is bad about it.
    pub kind: &'static str,
    /// Of n bytes.
    pub small: String,
    /// Of 16 n bytes.
    pub large: String,
    /// Whether the request holds no error.
    pub valid: bool,
}

/// All kinds.
pub fn bodies() -> Vec<Worst> {
    let of = |size: usize, kind, make: fn(usize) -> String, valid| {
        let of_size = |size: usize| make(size - HEAD.len());
        Worst { kind, small: of_size(size), large: of_size(16 * size), valid }
    };
    let kind = |kind, make, valid| of(SIZE, kind, make, valid);
    let nested = |kind, make, valid| of(NESTED, kind, make, valid);
    vec![
        kind("unknown members", |size| members(size, |place| format!(r#","u{place}":0"#)), true),
        kind(
            "names that nearly are known",
            |size| members(size, |place| format!(r#","merchant_i{place}":null"#)),
            true,
        ),
        kind("one name again and again", |size| members(size, |_| r#","amount":"1""#.to_owned()), false),
        kind(
            "violations in unknown objects",
            |size| members(size, |place| format!(r#","{place}":{{"a":1,"a":2}}"#)),
            true,
        ),
        kind("one long number", |size| with(&format!(r#","time_to_complete_payment":{}"#, "9".repeat(size))), false),
        kind("one long fraction", |size| with(&format!(r#","u":0.{}e-1"#, "0".repeat(size))), true),
        kind("escapes alone", |size| described(&r"\u0034".repeat(size / 6)), true),
        kind("escaped names", |size| members(size, |place| format!(r#","\u006d\u0065{place}":0"#)), true),
        kind("card numbers in a text", |size| described(&"4111 1111 1111 1111 ".repeat(size / 20)), true),
        kind("digits in a text", |size| described(&"4".repeat(size)), true),
        kind("digits and blanks in a text", |size| described(&"4 ".repeat(size / 2)), true),
        nested(
            "nested arrays",
            |size| with(&format!(r#","u":{}{}"#, "[".repeat(size / 2), "]".repeat(size / 2))),
            true,
        ),
        nested(
            "nested objects",
            |size| with(&format!(r#","u":{}0{}"#, r#"{"a":"#.repeat(size / 6), "}".repeat(size / 6))),
            true,
        ),
    ]
}

fn described(text: &str) -> String {
    with(&format!(r#","description":"{text}""#))
}

/// As many members as fit.
fn members(size: usize, member: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    let mut place = 0;
    while text.len() < size {
        write!(text, "{}", member(place)).expect("a String takes all");
        place += 1;
    }
    with(&text)
}

fn with(members: &str) -> String {
    format!("{HEAD}{members}}}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::growth::{engine, worst_contenders};
    use crate::harness::{SHORT, measure};

    #[test]
    fn a_large_one_has_sixteen_times_the_bytes() {
        for Worst { kind, small, large, .. } in bodies() {
            let (least, most) = (small.len() * 15, small.len() * 17);
            assert!((least..=most).contains(&large.len()), "{kind}: {} and {}", small.len(), large.len());
        }
    }

    #[test]
    fn every_one_of_them_is_read_to_its_end() {
        for figure in measure(SHORT, worst_contenders(&bodies(), &engine())) {
            assert_eq!(figure.verdicts, (1, 0), "{}", figure.name);
        }
    }
}
