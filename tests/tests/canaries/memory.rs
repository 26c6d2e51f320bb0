//! Checks freed memory: an allocator searches every block of the heap for the card number when it
//! is freed.
//!
//! A move may leave a copy on the stack, as documented by `payspec::card::Pan`.

use crate::{CODE, PAN};
use payspec::Engine;
use payspec::card::{Pan, SecurityCode};
use payspec_tests::call;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::mem::MaybeUninit;

struct Watching;

#[global_allocator]
static WATCHING: Watching = Watching;

thread_local! {
    /// The number of blocks with the card number that this thread freed. `None` disables the count.
    static FOUND: Cell<Option<usize>> = const { Cell::new(None) };
}

// SAFETY: all calls are forwarded to the system's allocator. A block is read before it is freed.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract is the same. Zeroed, so that every byte that is read later
        // is initialized.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // In a thread that ends, the counter may already be destroyed.
        if FOUND.try_with(Cell::get).ok().flatten().is_some()
            && contains_number(block, layout.size())
        {
            FOUND.set(FOUND.get().map(|found| found + 1));
        }
        // SAFETY: the caller fulfills the contract of this function, which is the same.
        unsafe { System.dealloc(block, layout) };
    }
}

/// Returns true if the block contains the number. Called by the allocator, so it must not allocate.
fn contains_number(block: *const u8, size: usize) -> bool {
    let byte = |at: usize| {
        // SAFETY: within the block, which is not freed yet and was zeroed when allocated. Volatile,
        // because its owner is dropped and the compiler must not assume its content.
        unsafe { block.add(at).read_volatile() }
    };
    let matches_at = |start: usize| {
        PAN.bytes()
            .enumerate()
            .all(|(at, digit)| byte(start + at) == digit)
    };
    (0..(size + 1).saturating_sub(PAN.len())).any(matches_at)
}

/// Returns the number of blocks that were freed with the number in them.
fn blocks_with_number<T>(work: impl FnOnce() -> T) -> usize {
    FOUND.set(Some(0));
    drop(work());
    FOUND.replace(None).unwrap_or_default()
}

fn body(number: &str, text: &str) -> String {
    format!(
        r#"{{"payment_type":"pay_in","mode":"ACQUIRING","subtype":"bank_card","cur":"RUB","amount":"990.50","host2host":true,
        "description":"{text}","pay_in_details":{{"card":{{"card_number":"{number}","security_code":"{}"}}}}}}"#,
        &CODE[..3]
    )
}

#[test]
fn detects_a_number_in_freed_memory() {
    assert_eq!(blocks_with_number(|| PAN.to_owned()), 1);
    assert!(blocks_with_number(|| (Box::new([0_u8; 64]), format!("a {PAN} b").into_bytes())) > 0);
    assert_eq!(blocks_with_number(|| PAN[1..].to_owned()), 0);
    let text = PAN.to_owned();
    assert_eq!(blocks_with_number(|| ()), 0);
    drop(text);
}

#[test]
fn wipes_a_typed_card_number() {
    assert_eq!(blocks_with_number(|| Box::new(PAN.parse::<Pan>())), 0);
    assert_eq!(
        blocks_with_number(|| vec![PAN.parse::<Pan>(), PAN.parse::<Pan>()]),
        0
    );
    let (engine, body) = (Engine::default(), body(PAN, PAN));
    let request = || {
        Box::new(
            engine
                .parse_request(body.as_bytes(), None)
                .expect("a valid body"),
        )
    };
    assert!(format!("{:?}", request()).contains("453957******1486"));
    assert_eq!(blocks_with_number(request), 0);
    assert_eq!(blocks_with_number(|| vec![request(), request()]), 0);
    assert_eq!(blocks_with_number(|| request().clone()), 0);
}

/// The same on the stack, which the allocator does not check.
#[test]
fn overwrites_a_dropped_value_with_zeros() {
    fn after_drop<T>(value: T) -> Vec<u8> {
        let mut slot = MaybeUninit::new(value);
        // SAFETY: it contains a value, which is not used again.
        unsafe { slot.assume_init_drop() };
        let bytes = slot.as_ptr().cast::<u8>();
        // SAFETY: both types are arrays of bytes and a length without padding, so that each byte
        // was written, and the memory belongs to this function until it returns. Volatile: it is
        // read after the value is dropped.
        (0..size_of::<T>())
            .map(|at| unsafe { bytes.add(at).read_volatile() })
            .collect()
    }
    assert_eq!(
        after_drop(PAN.parse::<Pan>().expect("a number")),
        [0; size_of::<Pan>()]
    );
    assert_eq!(
        after_drop(CODE.parse::<SecurityCode>().expect("a code")),
        [0; size_of::<SecurityCode>()]
    );
    assert_eq!((size_of::<Pan>(), size_of::<SecurityCode>()), (20, 5));
}

const KEYED: Option<&str> = Some(r#"{"fingerprint_key":"00112233445566778899aabbccddeeff"}"#);

/// Operations read the body in place: every copy of a number in it is wiped or masked.
#[test]
fn operations_leave_no_copy_of_a_card_number() {
    let context = r#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","now":"2026-11-20T10:15:30Z","authorization":"checked_by_caller","idempotency":{"key":"k","existing":null}}"#;
    // An escape requires a copy, and a text that is too long for the stack a copy on the heap.
    // Typed texts come from the payer and are not card data, so only card_number contains the
    // escaped number.
    let escaped = format!("\\u0034{}", &PAN[1..]);
    let long = format!("{} {PAN}", "\\u0041".repeat(3000));
    let plain = format!("{} {PAN}", "A".repeat(3000));
    // Not a card number, but it contains the one that the body declares.
    let longer = format!("\\u0035 of 00{PAN}");
    let declared = "4111111111111111";
    let beside = format!("{declared} and {PAN}, {}", "A".repeat(3000));
    let bodies = [
        body(PAN, PAN),
        body(PAN, &longer),
        body(&escaped, "x"),
        body("4539", &escaped),
        body("4539", &long),
        body("4539", &plain),
        body(declared, &beside),
        body(PAN, "x").replace(
            r#""description":"x""#,
            &format!(r#""merchant_id":"\u0061 {PAN}""#),
        ),
    ];
    for (body, policy) in bodies.iter().flat_map(|body| [(body, None), (body, KEYED)]) {
        let engine = call::engine(policy).expect("a policy");
        for operation in [
            "validate_request",
            "create_payment",
            "fingerprint_request",
            "redact",
            "check_payment",
        ] {
            let inputs = [Some(body.as_bytes()), Some(context.as_bytes())];
            let inputs = &inputs[..payspec::operations::operation(operation)
                .expect("an operation")
                .inputs
                .len()];
            // All values of `call::answer`, including the answer, are dropped inside.
            assert_eq!(
                blocks_with_number(|| call::answer(&engine, operation, inputs)),
                0,
                "{operation} under {policy:?}: {body}"
            );
        }
    }
}

#[test]
fn wipes_a_migrated_body() {
    let engine = Engine::default();
    let current = body(PAN, &format!("{} {PAN}", "A".repeat(3000)));
    let legacy = current.replace("pay_in_details", "credentials");
    let flat = format!(r#"{{"credentials":{{"card_number":"{PAN}"}},"idempotency_key":"{PAN}"}}"#);
    let escaped = format!(r#"{{"idempotency_key":"\u0034{}"}}"#, &PAN[1..]);
    for body in [&current, &legacy, &flat, &escaped] {
        let upgrade = || {
            engine
                .upgrade_request(payspec::PaymentType::PayIn, body.as_bytes())
                .expect("an object")
        };
        let downgrade = || {
            engine
                .downgrade_request(body.as_bytes())
                .expect("an object")
        };
        for migrate in [
            &upgrade as &dyn Fn() -> payspec::legacy::MigratedBody,
            &downgrade,
        ] {
            assert_eq!(blocks_with_number(migrate), 0, "{body}");
            assert_eq!(blocks_with_number(|| migrate().clone()), 0, "{body}");
        }
    }
}

/// Returns a payment with these changes, which is valid for the request.
fn payment(changes: &[(&str, &str)]) -> String {
    let members = [
        ("uid", r#""6fa459ea-ee8a-3ca4-894e-db77e160355e""#),
        ("url", "null"),
        ("merchant_id", r#""m-1""#),
        ("state", r#""idle""#),
        ("payment_type", r#""pay_in""#),
        ("subtype", r#""bank_card""#),
        ("requested_amount", r#""100.00""#),
        ("requested_currency", r#""RUB""#),
        ("client_amount", r#""100.00""#),
        ("amount", r#""100.00""#),
        ("currency", r#""RUB""#),
        ("total", r#""100.00""#),
        ("net_processed", r#""100.00""#),
        ("fee", r#""0.00""#),
        ("commission", r#""0.00""#),
        ("gross_amount", r#""100.00""#),
        ("shared_commission", r#""0.00""#),
        ("paid_amount", r#""0.00""#),
        ("fail_by", "null"),
        ("fail_code", "null"),
        ("receipts", "[]"),
        ("created_date", r#""2026-05-15T10:00:00.000Z""#),
        ("paid_at", "null"),
        ("redirect_url", r#""https://shop.example/""#),
        ("form", r#""acquiring.card""#),
        ("info", r#"{"type":"card"}"#),
    ];
    for (name, _) in changes {
        assert!(
            members.iter().any(|(member, _)| member == name),
            "{name} is not a member of a payment"
        );
    }
    let written = members.map(|(name, value)| {
        let value = changes
            .iter()
            .find(|(changed, _)| *changed == name)
            .map_or(value, |(_, value)| value);
        format!(r#""{name}":{value}"#)
    });
    format!("{{{}}}", written.join(","))
}

/// Rules after which no other rule reads the same member.
const LAX: &str = r#"{"severity":{"unsupported_value":"off","currency_unknown":"off","currency_not_fiat":"off",
    "field_currency":"off","amount_syntax":"off","amount_out_of_bounds":"off","amount_scale":"off","uri_syntax":"off",
    "uri_scheme":"off","duplicate_member":"off"}}"#;

/// An escaped number at any location of a payment or request is decoded for validation, and wiped
/// afterwards.
#[test]
fn check_payment_leaves_no_copy_of_an_escaped_card_number() {
    let escaped = format!(r#""\u0034{}""#, &PAN[1..]);
    // Too long for the stack.
    let long = format!(r#""{} {PAN}""#, "\\u0041".repeat(3000));
    let request = |member: &str, value: &str| {
        let members = [
            ("payment_type", r#""pay_in""#),
            ("mode", r#""P2P""#),
            ("cur", r#""RUB""#),
            ("amount", r#""100.00""#),
            ("subtype", r#""bank_card""#),
            ("merchant_id", r#""m-1""#),
            ("host2host", "true"),
        ];
        let written = members
            .map(|(name, old)| format!(r#""{name}":{}"#, if name == member { value } else { old }));
        format!("{{{}}}", written.join(","))
    };
    let plain = request("", "");
    let mut calls = Vec::new();
    for number in [&escaped, &long] {
        let texts = "uid url merchant_id state payment_type subtype requested_amount requested_currency client_amount amount \
            currency total net_processed fee commission gross_amount shared_commission paid_amount fail_by fail_code \
            created_date paid_at redirect_url form info";
        for member in texts.split_ascii_whitespace() {
            calls.push((payment(&[(member, number)]), plain.clone()));
        }
        for (member, value) in [
            ("receipts", format!("[{number}]")),
            ("info", format!(r#"{{"note":{number}}}"#)),
            ("info", format!(r#"{{{number}:[{number}]}}"#)),
        ] {
            calls.push((payment(&[(member, &value)]), plain.clone()));
        }
        // A payment in USDT, which has other rules of amounts and currencies.
        for member in ["requested_amount", "requested_currency", "amount"] {
            calls.push((
                payment(&[("currency", r#""USDT""#), (member, number)]),
                plain.clone(),
            ));
        }
        calls.push((
            payment(&[]).replacen("uid", &number[1..number.len() - 1], 1),
            plain.clone(),
        ));
        for member in [
            "payment_type",
            "mode",
            "cur",
            "amount",
            "subtype",
            "merchant_id",
        ] {
            calls.push((payment(&[]), request(member, number)));
        }
    }
    for policy in [None, Some(LAX)] {
        let engine = call::engine(policy).expect("a policy");
        for (body, request) in &calls {
            for (operation, second) in [("check_payment", Some(request)), ("check_payment", None)] {
                let inputs = [Some(body.as_bytes()), second.map(String::as_bytes)];
                let left = blocks_with_number(|| call::answer(&engine, operation, &inputs));
                assert_eq!(left, 0, "{operation} under {policy:?}: {body}, {second:?}");
            }
        }
    }
}

/// The other operations wipe everything that they decode.
#[test]
fn operations_leave_no_copy_of_an_escaped_card_number() {
    // An escape between the digits, so that only the decoded text contains the number.
    let (first, last) = PAN.split_at(8);
    let escaped = format!(r#""{first}\u003{last}""#);
    let engine = Engine::default();
    let check = |operation: &str, inputs: &[Option<&[u8]>]| {
        let inputs = &inputs[..payspec::operations::operation(operation)
            .expect("an operation")
            .inputs
            .len()];
        // The answer, which belongs to the caller, repeats a stored payment.
        let answer = call::answer(&engine, operation, inputs).text;
        if !answer.windows(PAN.len()).any(|part| part == PAN.as_bytes()) {
            let left = blocks_with_number(|| call::answer(&engine, operation, inputs));
            assert_eq!(
                left,
                0,
                "{operation}: {:?}",
                inputs[0].map(String::from_utf8_lossy)
            );
        }
    };
    for member in [
        "uid",
        "url",
        "state",
        "amount",
        "currency",
        "created_date",
        "paid_at",
        "fail_by",
        "receipts",
        "info",
    ] {
        let body = payment(&[(member, &escaped)]);
        let uid = "6fa459ea-ee8a-3ca4-894e-db77e160355e";
        let contexts = [
            format!(r#"{{"payment":{body},"to":"routed","at":"2026-05-15T10:00:01Z"}}"#),
            format!(
                r#"{{"uid":"{uid}","payment":{body},"authorization":{{"header":"Bearer t","accepted":true}}}}"#
            ),
            format!(r#"{{"amount":{escaped},"currency":"RUB"}}"#),
            format!(r#"{{"amount":"1","currency":{escaped}}}"#),
            format!(r#"{{"from":{escaped},"to":{escaped}}}"#),
            format!(r#"{{"from":"idle","to":{escaped}}}"#),
            format!(r#"{{"now":{escaped}}}"#),
        ];
        for context in &contexts {
            for operation in [
                "advance_payment",
                "read_payment",
                "convert",
                "check_transition",
                "check_idempotency",
            ] {
                check(operation, &[Some(context.as_bytes())]);
            }
        }
        let operations = "field_currencies fingerprint_request redact validate_request upgrade_payment downgrade_payment";
        for operation in operations.split(' ') {
            check(operation, &[Some(body.as_bytes()), None]);
        }
        check("upgrade_request", &[Some(b"pay_in"), Some(body.as_bytes())]);
    }
    for policy in [
        format!(r#"{{"severity":{{{escaped}:"off"}}}}"#),
        format!(r#"{{"severity":{{"missing":{escaped}}}}}"#),
        format!(r#"{{"currencies":[{escaped}]}}"#),
        format!(r#"{{"limits":{{"amount":{{{escaped}:{{"min":"1"}}}}}}}}"#),
        format!(r#"{{"limits":{{"amount":{{"RUB":{{"min":{escaped}}}}}}}}}"#),
        format!(r#"{{"transitions":[[{escaped},"idle"]]}}"#),
        format!(r#"{{"crypto":{{"rounding":{escaped}}}}}"#),
    ] {
        assert_eq!(
            blocks_with_number(|| call::engine(Some(&policy)).is_ok()),
            0,
            "{policy}"
        );
    }
}

/// Decoded secrets of webhooks are wiped, even if the text is malformed.
#[test]
fn leaves_no_webhook_secret_in_memory() {
    // `PAN` in base64, after three other bytes.
    let encoded = "MDAwNDUzOTU3ODc2MzYyMTQ4Ng==";
    let decoded = format!("000{PAN}");
    assert_eq!(decoded.len(), 19, "the base64 above has the number");
    let engine = Engine::default();
    let header =
        r#"{"webhook-id":"m","webhook-timestamp":"1614265330","webhook-signature":"v1,AAAA"}"#;
    for secret in [
        encoded.to_owned(),
        format!("{encoded}="),
        format!("{encoded}\\u003d"),
        encoded.replace('w', "\\u0077"),
    ] {
        for (operation, rest) in [
            (
                "sign_webhook",
                r#""id":"m","timestamp":"2021-02-25T15:02:10Z""#.to_owned(),
            ),
            (
                "verify_webhook",
                format!(r#""headers":{header},"now":"2021-02-25T15:02:10Z""#),
            ),
        ] {
            for more in ["", r#","x""#] {
                let context = format!(r#"{{{rest},"secrets":["whsec_{secret}"{more}]}}"#);
                let inputs = [Some(&b"{}"[..]), Some(context.as_bytes())];
                let left = blocks_with_number(|| call::answer(&engine, operation, &inputs));
                assert_eq!(left, 0, "{operation}: {context}");
            }
        }
    }
    let seen = blocks_with_number(|| decoded.clone());
    assert_eq!(seen, 1, "the allocator finds the number");
}
