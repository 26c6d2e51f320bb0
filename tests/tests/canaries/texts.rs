//! Plants a name or a token as the value of every member, and in an unknown member of every object.

use crate::{NAME, TOKEN};
use payspec::Engine;
use payspec_tests::call;
use payspec_tests::debug::debug_texts;
use payspec_tests::json::Json;
use payspec_tests::seeds::{self, Seed};
use payspec_tests::tree;
use std::collections::{BTreeMap, BTreeSet};

/// The locations whose text the output may contain: operation, input, start of the pointer, and the
/// reason.
const BELONGS: [(&str, usize, &str, &str); 24] = [
    (
        "create_payment",
        0,
        "/merchant_id",
        "the payment contains it (D27)",
    ),
    (
        "create_payment",
        0,
        "/redirect_url",
        "the payment contains it (D27)",
    ),
    (
        "create_payment",
        1,
        "/merchant_id",
        "supplied by the caller for the payment",
    ),
    (
        "create_payment",
        1,
        "/url",
        "supplied by the caller for the payment",
    ),
    (
        "create_payment",
        1,
        "/form",
        "supplied by the caller for the payment",
    ),
    (
        "create_payment",
        1,
        "/info",
        "further members of the payment's info",
    ),
    (
        "create_payment",
        1,
        "/refusal",
        "the reason of the caller for the client",
    ),
    (
        "create_payment",
        1,
        "/idempotency/existing/payment",
        "a replay returns the stored payment unchanged",
    ),
    ("read_payment", 0, "/payment", "returned unchanged"),
    ("read_balance", 0, "/balance", "returned unchanged"),
    (
        "advance_payment",
        0,
        "/payment",
        "returned except for the changed members",
    ),
    ("advance_payment", 0, "/fail_by", "the payment contains it"),
    (
        "advance_payment",
        0,
        "/fail_code",
        "the payment contains it",
    ),
    (
        "advance_payment",
        0,
        "/receipts",
        "the payment contains them",
    ),
    ("idempotency_key", 0, "", "the requested key"),
    ("sign_webhook", 1, "/id", "the header contains it"),
    ("upgrade_request", 1, "", "the migrated body"),
    ("downgrade_request", 0, "", "the migrated body"),
    ("upgrade_balance", 0, "", "the migrated body"),
    ("downgrade_balance", 0, "", "the migrated body"),
    ("upgrade_payment", 0, "", "the migrated body"),
    ("downgrade_payment", 0, "", "the migrated body"),
    ("redact", 0, "", "masks card data only"),
    ("redact_text", 0, "", "masks card data only"),
];

/// The forms of a planted text.
const FORMS: [fn(&str) -> Json; 4] = [
    |canary| Json::String(canary.to_owned()),
    |canary| Json::String(format!("Bearer {canary}")),
    |canary| Json::String(format!("https://shop.example/{}", canary.replace(' ', "+"))),
    |canary| Json::Array(vec![object("zz", Json::String(canary.to_owned()))]),
];

fn object(name: &str, value: Json) -> Json {
    Json::Object(vec![(name.to_owned(), value)])
}

/// Returns whether a text contains the canary in any form.
fn contains_canary(text: &str) -> bool {
    text.contains("Kanarek") || text.contains("kAnArEk")
}

#[test]
fn keeps_texts_out_of_the_output() {
    let mut problems = BTreeMap::new();
    let mut used = BTreeSet::new();
    let mut planted = 0;
    for seed in seeds::calls() {
        let Ok(engine) = call::engine(seed.policy.as_deref()) else {
            continue;
        };
        for which in 0..seed.inputs.len() {
            let Some(json) = seed.inputs[which]
                .as_deref()
                .and_then(|text| Json::parse(text).ok())
            else {
                continue;
            };
            for (index, pointer) in tree::pointers(&json).into_iter().enumerate() {
                for (text, at) in variants(&json, index, &pointer, planted) {
                    planted += 1;
                    check(&engine, &seed, which, &text, &at, &mut problems, &mut used);
                }
            }
        }
    }
    let lines: Vec<String> = problems
        .iter()
        .map(|(location, text)| format!("{location}: {text}"))
        .collect();
    assert!(
        lines.is_empty(),
        "{} locations leak a canary:\n{}",
        lines.len(),
        lines.join("\n")
    );
    assert!(planted > 50_000, "only {planted} canaries were planted");
    for line in BELONGS {
        assert!(
            used.contains(&line),
            "no output contains the text of {line:?}: remove the line"
        );
    }
}

/// Returns the input with a canary at that location in every form, and in an unknown member, with
/// the pointer to it.
fn variants(json: &Json, index: usize, pointer: &str, number: usize) -> Vec<(Vec<u8>, String)> {
    let canary = if number.is_multiple_of(2) {
        NAME
    } else {
        TOKEN
    };
    let mut out = Vec::new();
    for form in FORMS {
        let mut changed = json.clone();
        if let Some(value) = tree::value_at(&mut changed, index) {
            *value = form(canary);
            out.push((changed.compact().into_bytes(), pointer.to_owned()));
        }
    }
    let mut changed = json.clone();
    if let Some(Json::Object(members)) = tree::value_at(&mut changed, index) {
        members.push(("zz_unknown".to_owned(), Json::String(canary.to_owned())));
        out.push((
            changed.compact().into_bytes(),
            format!("{pointer}/zz_unknown"),
        ));
    }
    out
}

fn check(
    engine: &Engine,
    seed: &Seed,
    which: usize,
    text: &[u8],
    pointer: &str,
    problems: &mut BTreeMap<String, String>,
    used: &mut BTreeSet<(&'static str, usize, &'static str, &'static str)>,
) {
    let operation = seed.operation.as_str();
    let mut inputs: Vec<Option<&[u8]>> = seed.inputs.iter().map(Option::as_deref).collect();
    inputs[which] = Some(text);
    let answer = call::answer(engine, operation, &inputs);
    let answer_text = String::from_utf8_lossy(&answer.text);
    let mut report = |what: &str, text: &str| {
        problems
            .entry(format!("{operation} {which} {pointer}, {what}"))
            .or_insert_with(|| text.to_owned());
    };
    if contains_canary(&answer_text) {
        let belongs = |line: &&(&str, usize, &str, &str)| {
            let (of, input, from, _) = **line;
            of == operation && input == which && pointer.starts_with(from)
        };
        // The caller's `refusal` is also part of the problem of a rejected body; a value of the
        // body never is.
        match BELONGS.iter().find(belongs) {
            Some(line) if answer.returns == 0 || line.2 == "/refusal" => drop(used.insert(*line)),
            _ => report("the answer", &answer_text),
        }
    }
    if let Some(text) = debug_texts(engine, operation, &inputs)
        .into_iter()
        .find(|text| contains_canary(text))
    {
        report("Debug", &text);
    }
    let operation = payspec::operations::operation(operation).expect("an operation");
    if let Err(error) = operation.call(engine, &inputs, None) {
        let texts = [error.to_string(), format!("{error:?} {error:#?}")];
        texts
            .iter()
            .filter(|text| contains_canary(text))
            .for_each(|text| report("an error", text));
    }
}

#[test]
fn returns_a_token_from_authorize_only() {
    let engine = Engine::default();
    for (header, returns) in [
        (format!("Bearer {TOKEN}"), 0),
        (format!("bearer  {TOKEN}"), 0),
        (format!("Bearer {TOKEN} x"), 1),
        (format!("Bearer {TOKEN}ё"), 1),
        (format!("Basic {TOKEN}"), 1),
        (TOKEN.to_owned(), 1),
    ] {
        let answer = call::answer(&engine, "authorize", &[Some(header.as_bytes())]);
        assert_eq!(
            (
                answer.returns,
                contains_canary(&String::from_utf8_lossy(&answer.text))
            ),
            (returns, returns == 0),
            "{header}"
        );
        let printed = format!(
            "{:?}",
            payspec::bearer_token(Some(header.as_bytes())).map(|_| ())
        );
        assert!(!contains_canary(&printed), "{printed}");
    }
}

/// No answer, error, or Debug text contains secrets of webhooks, in base64 or decoded, whether the
/// context is valid or not.
#[test]
fn keeps_webhook_secrets_out_of_the_output() {
    const SECRET: &str = "S2FuYXJlay1LYW5hcmVrLUthbmFyZWs=";
    const DECODED: &str = "Kanarek-Kanarek-Kanarek";
    let engine = Engine::default();
    let secret = format!("whsec_{SECRET}");
    let lists = [
        format!(r#"["{secret}"]"#),
        format!(r#"["{secret}","{secret}"]"#),
        format!(r#"["{secret}","x"]"#),
        format!(r#"["{SECRET}"]"#),
        format!(r#"["{secret}="]"#),
        format!(r#"[["{secret}"]]"#),
        format!(r#"[{{"{secret}":1}}]"#),
        format!(r#""{secret}""#),
        format!(r#"{{"{secret}":"{secret}"}}"#),
    ];
    let headers = |signature: &str| {
        format!(
            r#"{{"webhook-id":"msg_1","webhook-timestamp":"1614265330","webhook-signature":"{signature}"}}"#
        )
    };
    let rests = [
        (
            "sign_webhook",
            r#""id":"msg_1","timestamp":"2021-02-25T15:02:10Z""#.to_owned(),
        ),
        (
            "sign_webhook",
            r#""id":"msg.1","timestamp":"2021-02-25T15:02:10Z""#.to_owned(),
        ),
        (
            "verify_webhook",
            format!(
                r#""headers":{},"now":"2021-02-25T15:02:10Z""#,
                headers("v1,AAAA")
            ),
        ),
        (
            "verify_webhook",
            format!(
                r#""headers":{},"now":"2021-02-25T15:02:10Z""#,
                headers(&format!("v1,{SECRET}"))
            ),
        ),
        (
            "verify_webhook",
            r#""headers":{},"now":"2021-02-25T15:02:10Z""#.to_owned(),
        ),
        ("verify_webhook", r#""headers":{},"now":"now""#.to_owned()),
    ];
    let mut returned = BTreeSet::new();
    for (operation, rest) in &rests {
        for list in &lists {
            let context = format!(r#"{{{rest},"secrets":{list}}}"#);
            let inputs = [Some(&b"{}"[..]), Some(context.as_bytes())];
            let answer = call::answer(&engine, operation, &inputs);
            returned.insert(answer.returns);
            let mut texts = debug_texts(&engine, operation, &inputs);
            texts.push(String::from_utf8_lossy(&answer.text).into_owned());
            let run = payspec::operations::operation(operation).expect("an operation");
            if let Err(error) = run.call(&engine, &inputs, None) {
                texts.push(format!("{error} {error:?} {error:#?}"));
            }
            for text in texts {
                // Bytes print as numbers too.
                let bytes = format!("{:?}", DECODED.as_bytes());
                let shown = [&SECRET[..16], DECODED, &bytes[1..40]]
                    .into_iter()
                    .find(|secret| text.contains(secret));
                assert_eq!(shown, None, "{operation} {context}: {text}");
            }
        }
    }
    assert_eq!(Vec::from_iter(returned), [-4, 0, 1]);
    let parsed: payspec::WebhookSecret = secret.parse().expect("a secret");
    assert_eq!(
        format!("{parsed:?} {parsed:#?}"),
        "WebhookSecret(***) WebhookSecret(***)"
    );
}
