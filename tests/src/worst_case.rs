//! The most expensive known inputs of a size: every operation, with every kind of worst-case
//! content at every location of unlimited length. The list is the same for every size, so that two
//! sizes can be compared.

use payspec::Engine;
use std::fmt::Write;

/// A policy with limits that no input reaches, which accepts invalid card numbers.
pub const LIFTED: &str = r#"{"severity":{"card_number_syntax":"warning","card_number_checksum":"warning"},"limits":{"body_bytes":1000000000,"depth":1000000000,"violations":1000000,"text_chars":1000000000,"description_chars":1000000000,"uri_bytes":1000000000}}"#;

/// One call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The operation.
    pub operation: &'static str,
    /// The location of the filling: the name of the template.
    pub location: &'static str,
    /// The kind of the filling.
    pub kind: &'static str,
    /// The inputs, in the order of the table of operations.
    pub inputs: Vec<Option<Vec<u8>>>,
}

/// Returns an engine with the policy `LIFTED`.
///
/// # Panics
/// Panics if that policy is invalid.
pub fn engine() -> Engine {
    Engine::from_json(LIFTED).expect("a policy")
}

/// Returns every call, with a filling of about `size` bytes.
pub fn calls(size: usize) -> Vec<Call> {
    let mut out = Vec::new();
    for (kind, fill) in FILLINGS {
        let filling = fill(size);
        for Template(operation, location, inputs) in templates() {
            if let Some(inputs) = inputs.iter().map(|input| filled(input, &filling)).collect() {
                out.push(Call {
                    operation,
                    location,
                    kind,
                    inputs,
                });
            }
        }
    }
    out
}

/// The content of a location.
enum Filling {
    /// Any JSON value.
    Value(String),
    /// Members with commas between them, for an object.
    Members(String),
    /// The content of a string, with its escapes.
    Text(String),
}

/// Returns the template's text with the filling: `@` is a value, `%` more members, `~` the content
/// of a string. Returns `None` if the filling is not possible there.
fn filled(template: &str, filling: &Filling) -> Option<Option<Vec<u8>>> {
    let text = match filling {
        _ if !template.contains(['@', '%', '~']) => template.to_owned(),
        Filling::Value(value) if template.contains('@') => template.replace('@', value),
        Filling::Members(members) if template.contains('@') => {
            template.replace('@', &format!("{{{members}}}"))
        }
        Filling::Members(members) if template.contains('%') => {
            template.replace('%', &format!(",{members}"))
        }
        Filling::Text(text) if template.contains('~') => template.replace('~', text),
        Filling::Text(text) if template.contains('@') => {
            template.replace('@', &format!("\"{text}\""))
        }
        _ => return None,
    };
    Some(Some(text.into_bytes()))
}

/// Repeats a piece until the text has `size` bytes.
fn repeated(size: usize, between: &str, piece: impl Fn(usize) -> String) -> String {
    let (mut text, mut index) = (String::new(), 0);
    while text.len() < size {
        write!(
            text,
            "{}{}",
            if index == 0 { "" } else { between },
            piece(index)
        )
        .expect("writing to a String cannot fail");
        index += 1;
    }
    text
}

fn members(size: usize, member: impl Fn(usize) -> String) -> Filling {
    Filling::Members(repeated(size, ",", member))
}

fn items(size: usize, item: impl Fn(usize) -> String) -> Filling {
    Filling::Value(format!("[{}]", repeated(size, ",", item)))
}

/// Returns a filling of about the given number of bytes.
type Fill = fn(usize) -> Filling;

/// The kinds of fillings.
const FILLINGS: [(&str, Fill); 41] = [
    ("unknown members", |size| {
        members(size, |index| format!(r#""u{index}":0"#))
    }),
    ("names that nearly are known", |size| {
        members(size, |index| format!(r#""merchant_i{index}":null"#))
    }),
    ("names with a long start in common", |size| {
        members(size, |index| {
            format!(r#""{}{index}":0"#, "x".repeat(size / 32))
        })
    }),
    ("names whose hashes collide", |size| {
        Filling::Members(colliding(size))
    }),
    ("one known name again and again", |size| {
        members(size, |_| r#""amount":"1""#.to_owned())
    }),
    ("one unknown name again and again", |size| {
        members(size, |_| r#""u":0"#.to_owned())
    }),
    ("legacy names again and again", |size| {
        members(size, |_| {
            r#""payed_at":null,"type":"x","isSucceed":1"#.to_owned()
        })
    }),
    ("escaped names", |size| {
        members(size, |index| format!(r#""\u006d\u0065{index}":0"#))
    }),
    ("names of slashes", |size| {
        members(size, |index| format!(r#""~/{index}/~/~/~/~/~":0"#))
    }),
    ("card numbers as names", |size| {
        members(size, |index| format!(r#""4111 1111 1111 1111 {index}":0"#))
    }),
    ("secrets again and again", |size| {
        members(size, |_| {
            r#""card_number":"4111111111111111","security_code":[1]"#.to_owned()
        })
    }),
    ("one long name", |size| {
        Filling::Members(format!(r#""{}":0"#, "4111111111111111 ".repeat(size / 17)))
    }),
    ("one long number", |size| Filling::Value("9".repeat(size))),
    ("one long fraction", |size| {
        Filling::Value(format!("0.{}e-1", "0".repeat(size)))
    }),
    ("one long exponent", |size| {
        Filling::Value(format!("1e{}", "9".repeat(size)))
    }),
    ("numbers", |size| {
        items(size, |_| "4111111111111111".to_owned())
    }),
    ("nested arrays", |size| {
        Filling::Value(format!("{}{}", "[".repeat(size / 2), "]".repeat(size / 2)))
    }),
    ("nested objects", |size| {
        Filling::Value(format!(
            "{}0{}",
            r#"{"a":"#.repeat(size / 6),
            "}".repeat(size / 6)
        ))
    }),
    ("nested objects with members after them", |size| {
        Filling::Value(format!(
            "{}0{}",
            r#"{"a":"#.repeat(size / 12),
            r#","b":1}"#.repeat(size / 12)
        ))
    }),
    ("nested objects to the depth of the default", |size| {
        items(size, |index| {
            format!(
                "{}{index}{}",
                r#"{"a":"#.repeat(10),
                r#","b":1}"#.repeat(10)
            )
        })
    }),
    ("empty objects", |size| items(size, |_| "{}".to_owned())),
    ("texts", |size| items(size, |index| format!(r#""{index}""#))),
    ("card numbers in texts", |size| {
        items(size, |_| r#""4111 1111 1111 1111""#.to_owned())
    }),
    ("addresses", |size| {
        items(size, |_| r#""https://a.b/4111111111111111""#.to_owned())
    }),
    ("one long text", |size| Filling::Text("x".repeat(size))),
    ("escapes alone", |size| {
        Filling::Text(r"\u0034".repeat(size / 6))
    }),
    ("short escapes", |size| {
        Filling::Text(r#"\"\\"#.repeat(size / 4))
    }),
    ("card numbers in one text", |size| {
        Filling::Text("4111 1111 1111 1111 ".repeat(size / 20))
    }),
    ("digits", |size| Filling::Text("4".repeat(size))),
    ("digits and spaces", |size| {
        Filling::Text("4 ".repeat(size / 2))
    }),
    ("names with unclosed values", |size| {
        Filling::Text("value=[ name=cvv {".repeat(size / 18))
    }),
    ("values that are not closed", |size| {
        Filling::Text(format!("name=pan {}", "value=[ ".repeat(size / 8)))
    }),
    ("names with values", |size| {
        Filling::Text("cvv=1 pan=1 ".repeat(size / 12))
    }),
    ("names with values in quotes", |size| {
        Filling::Text(r#"\"cvv\":\"1\" "#.repeat(size / 14))
    }),
    ("names in parentheses", |size| {
        Filling::Text("(cid=".repeat(size / 5))
    }),
    ("names with escapes in parentheses", |size| {
        Filling::Text("pan%3D(".repeat(size / 7))
    }),
    ("digits that may be escapes", |size| {
        Filling::Text("12D".repeat(size / 3))
    }),
    ("elements", |size| {
        Filling::Text("<cvv>1 <".repeat(size / 8))
    }),
    ("account numbers", |size| {
        Filling::Text("GB82 WEST 1234 5698 7654 33 ".repeat(size / 28))
    }),
    ("groups with escapes", |size| {
        Filling::Text("4111%20".repeat(size / 7))
    }),
    ("an address", |size| {
        Filling::Text(format!(
            "https://{}?{}",
            "a.".repeat(size / 4),
            "%41[1".repeat(size / 10)
        ))
    }),
];

/// A valid pay-in without its last brace.
const PAY_IN: &str =
    r#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50""#;
/// A valid payment without its last brace.
const PAYMENT: &str = r#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","state":"idle","payment_type":"pay_in","amount":"990.50","currency":"RUB","created_date":"2026-11-20T10:15:30.000Z""#;
/// A context of `create_payment` without its last brace.
const CONTEXT: &str = r#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","now":"2026-11-20T10:15:30Z","authorization":"checked_by_caller""#;
const NEW: &str = r#","idempotency":{"key":"k","existing":null}}"#;
/// The start of a record, stored a second before.
const STORED: &str = r#"{"created_at":"2026-11-20T10:15:29Z","fingerprint":"x","payment":"#;
const CARD: &str = r#"{"payment_type":"pay_in","host2host":true,"pay_in_details":{"card":{"card_number":"4539578763621486""#;

/// A location that can be filled: operation, name, inputs.
struct Template(&'static str, &'static str, Vec<String>);

/// Returns every location. Operations without one have no input of unlimited length other than the
/// name of an enum value.
fn templates() -> Vec<Template> {
    let one =
        |operation, location, input: &str| Template(operation, location, vec![input.to_owned()]);
    let two = |operation, location, a: &str, b: &str| {
        Template(operation, location, vec![a.to_owned(), b.to_owned()])
    };
    let mut out = Vec::new();
    // Bodies of a request.
    for (location, rest) in [
        ("members", "%}"),
        ("an unknown member", r#","u":@}"#),
        ("description", r#","description":@}"#),
        (
            "merchant_id and addresses",
            r#","merchant_id":@,"callback":@,"redirect_url":@}"#,
        ),
        (
            "time_to_complete_payment",
            r#","time_to_complete_payment":@}"#,
        ),
        (
            "pay_out_details",
            r#","pay_out_details":{"phone_number":@,"card_number":@,"full_name":@}}"#,
        ),
    ] {
        let body = format!("{PAY_IN}{rest}");
        out.push(one("validate_request", location, &body));
        out.push(two(
            "create_payment",
            location,
            &body,
            &format!("{CONTEXT}{NEW}"),
        ));
        // These operations treat all members alike.
        if matches!(location, "members" | "an unknown member") {
            out.push(one("fingerprint_request", location, &body));
            out.push(two("upgrade_request", location, "pay_in", &body));
            out.push(one("downgrade_request", location, &body));
            out.push(one("redact", location, &body));
        }
    }
    for (location, rest) in [
        ("the card's members", "%}}}"),
        (
            "the card",
            r#","card_holder":@,"security_code":@,"expiry_year":@}}}"#,
        ),
    ] {
        out.push(Template(
            "validate_request",
            location,
            vec![format!("{CARD}{rest}")],
        ));
        out.push(two(
            "upgrade_request",
            location,
            "pay_in",
            &format!("{CARD}{rest}").replace("pay_in_details", "credentials"),
        ));
    }
    out.push(one(
        "validate_request",
        "amount",
        r#"{"cur":"RUB","amount":@,"mode":@}"#,
    ));
    out.push(two("validate_request", "now", "{}", "~"));
    out.push(one(
        "redact",
        "secrets",
        r#"{"card_number":@,"security_code":@}"#,
    ));
    let cards: Vec<String> = (2..10)
        .map(|last| format!(r#"{{"card_number":"111111111111111111{last}"}}"#))
        .collect();
    out.push(one(
        "redact",
        "texts beside card numbers",
        &format!(r#"{{"cards":[{}],"a":@,"b":"~"}}"#, cards.join(",")),
    ));
    // Contexts.
    let body = format!("{PAY_IN}}}");
    for (location, rest) in [
        ("the context", "%}"),
        ("refusal", r#","refusal":@}"#),
        (
            "url, form, merchant_id",
            r#","url":@,"form":@,"merchant_id":@}"#,
        ),
        ("key", r#","idempotency":{"key":@,"existing":null}}"#),
        ("charges", r#","charges":{"fee":@}}"#),
    ] {
        out.push(two(
            "create_payment",
            location,
            &body,
            &format!("{CONTEXT}{rest}"),
        ));
    }
    let (bare, _) = CONTEXT
        .rsplit_once(",\"authorization\"")
        .expect("a context with authorization");
    let header = r#","authorization":{"header":@,"accepted":true}}"#;
    out.push(two(
        "create_payment",
        "header",
        &body,
        &format!("{bare}{header}"),
    ));
    let stored =
        format!(r#","idempotency":{{"key":"k","existing":{STORED}{{"u":@,"uid":"7"}}}}}}}}"#);
    out.push(two(
        "create_payment",
        "the stored payment",
        &body,
        &format!("{CONTEXT}{stored}"),
    ));
    let card = format!(
        r#"{CARD},"security_code":"123"}}}},"mode":"ACQUIRING","subtype":"bank_card","cur":"RUB","amount":"1","merchant_id":@,"redirect_url":@}}"#
    );
    out.push(two(
        "create_payment",
        "texts beside a card",
        &card,
        &format!("{CONTEXT}{NEW}"),
    ));
    let odd = format!(
        "{PAY_IN}{}",
        r#","pay_in_details":{"card":{"card_number":"~5"}},"merchant_id":"~~"}"#
    );
    out.push(two(
        "create_payment",
        "an odd card number, and a text that may hold it",
        &odd,
        &format!("{CONTEXT}{NEW}"),
    ));
    out.push(one(
        "read_payment",
        "payment",
        &format!(r#"{{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","authorization":"checked_by_caller","payment":{PAYMENT},"u":@}}}}"#),
    ));
    out.push(one(
        "read_payment",
        "uid",
        r#"{"uid":@,"payment":null,"authorization":"checked_by_caller"}"#,
    ));
    let checked = r#"{"authorization":"checked_by_caller","balance":"#;
    out.push(one(
        "read_balance",
        "balance",
        &format!(r#"{checked}{{"u":@,"cur":"RUB"}}}}"#),
    ));
    out.push(one(
        "read_balance",
        "members of the balance",
        &format!(r#"{checked}{{"u":0%,"cur":"RUB"}}}}"#),
    ));
    for (operation, name) in [
        ("upgrade_balance", "currency"),
        ("downgrade_balance", "cur"),
    ] {
        out.push(one(
            operation,
            "members",
            &format!(r#"{{"{name}":"RUB"%}}"#),
        ));
        out.push(one(
            operation,
            "an unknown member",
            &format!(r#"{{"{name}":@,"u":@}}"#),
        ));
    }
    out.push(one(
        "convert",
        "amount",
        r#"{"amount":@,"currency":"RUB","quote":null}"#,
    ));
    out.push(one(
        "convert",
        "rate",
        r#"{"amount":"1","currency":"RUB","quote":{"currency":"RUB","rate":@,"as_of":"2026-11-20T10:15:30Z"}}"#,
    ));
    out.push(one("check_transition", "from", r#"{"from":@,"to":"idle"}"#));
    let key = format!(
        r#"{{"key":"k","now":"2026-11-20T10:15:30Z","fingerprint":"x","existing":{STORED}{{"u":@,"uid":"7"}}}}}}"#
    );
    out.push(one("check_idempotency", "the stored payment", &key));
    out.push(one("redact_text", "text", "~"));
    out.push(one("authorize", "header", "Bearer ~"));
    out.push(one("idempotency_key", "header", "~"));
    out.push(one("card_info", "digits", "~"));
    out.push(one(
        "compare_policies",
        "schemes",
        r#"{"before":{"urls":{"schemes":["a"]}},"after":{"urls":{"schemes":["~"]}}}"#,
    ));
    // Payments.
    for (location, rest) in [
        ("members", "%}"),
        ("an unknown member", r#","u":@}"#),
        ("info", r#","info":@}"#),
        ("info's member", r#","info":{"a":@}}"#),
        ("info's members", r#","info":{"a":0%}}"#),
        ("receipts", r#","receipts":@}"#),
        ("amounts", r#","total":@,"fee":@,"paid_amount":@}"#),
        (
            "texts and addresses",
            r#","merchant_id":@,"url":@,"fail_by":@,"form":@}"#,
        ),
    ] {
        let payment = format!("{PAYMENT}{rest}");
        out.push(two("check_payment", location, &payment, &body));
        out.push(one("field_currencies", location, &payment));
        out.push(one("upgrade_payment", location, &payment));
        out.push(one("downgrade_payment", location, &payment));
        out.push(one(
            "advance_payment",
            location,
            &format!(r#"{{"payment":{payment},"to":"routed","at":"2026-11-20T10:15:31Z"}}"#),
        ));
    }
    out.push(two(
        "check_payment",
        "the request",
        &format!("{PAYMENT}}}"),
        &format!("{PAY_IN}%}}"),
    ));
    let advance = format!(
        r#"{{"payment":{PAYMENT}}},"to":"routed","at":"2026-11-20T10:15:31Z","receipts":@}}"#
    );
    out.push(one("advance_payment", "more receipts", &advance));
    out
}

/// Returns names of sixteen bytes that have the same hash in the core, so that a sort must compare
/// the names.
fn colliding(size: usize) -> String {
    let word = |text: &str| {
        text.as_bytes()
            .first_chunk()
            .map_or(0, |word| u64::from_le_bytes(*word))
    };
    // The hash of the first eight bytes before it is combined with the others.
    let state = |first: &str| {
        word(first)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(5)
    };
    let collision = state("00000000") ^ word("aaaaaaaa");
    let name = |number: u32| {
        let first = format!("{number:08x}");
        let second = (state(&first) ^ collision).to_le_bytes();
        let plain = second
            .iter()
            .all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\'));
        plain.then(|| first + &String::from_utf8_lossy(&second))
    };
    let names = (0..).filter_map(name).take(size / 21 + 1);
    names
        .map(|name| format!(r#""{name}":0"#))
        .collect::<Vec<_>>()
        .join(",")
}

#[cfg(test)]
mod tests {
    #[test]
    fn generates_names_that_collide_in_the_core() {
        // A test of the core checks that these two collide.
        let names = super::colliding(1000);
        assert!(
            names.contains(r#""00000000aaaaaaaa""#) && names.contains(r#""00000003iaaaaaaA""#),
            "{names}"
        );
    }
}
