//! Signs webhooks and verifies them: the signed one is accepted, and no other. Parses idempotency
//! keys, quoted and plain.

use crate::bytes::Bytes;
use payspec::{
    Engine, IdempotencyContext, IdempotencyKey, IdempotencyVerdict, SignWebhookContext, Timestamp,
    VerifyWebhookContext, WebhookRejection, WebhookSecret,
};
use payspec_tests::seeds;
use std::sync::LazyLock;

static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::default);

/// Input: the value of Idempotency-Key, an id, a signature header and a timestamp header, each up
/// to a 0xFF; then a body.
pub(crate) fn run(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let [header, id, signature, timestamp] = [(); 4].map(|()| bytes.part().unwrap_or_default());
    key(header);
    if let Ok(id) = str::from_utf8(id) {
        let texts = [signature, timestamp].map(String::from_utf8_lossy);
        webhook(id, &texts[0], &texts[1], bytes.0);
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let of = |seed: seeds::Seed| {
        let input = |at: usize| seed.inputs.get(at).cloned().flatten();
        match seed.operation.as_str() {
            "idempotency_key" => input(0),
            "sign_webhook" => Some(
                [
                    b"k\xFFevt_1\xFFv1,AAAA v1,\xFF1614265330\xFF".to_vec(),
                    input(0)?,
                ]
                .concat(),
            ),
            _ => None,
        }
    };
    seeds::calls().into_iter().filter_map(of).collect()
}

fn key(header: &[u8]) {
    let Ok(key) = ENGINE.idempotency_key(header) else {
        return;
    };
    let text = key.as_str();
    assert!((1..=255).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()));
    let quoted = format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    assert_eq!(quoted.parse().as_ref(), Ok(&key), "{quoted}");
    assert!(
        text.starts_with('"') || text.parse().as_ref() == Ok(&key),
        "{text}"
    );
    assert_eq!(IdempotencyKey::new(text).as_ref(), Ok(&key));
    // The other operations accept the key.
    let mut context = IdempotencyContext::new(now(), "", None);
    context.key = Some(Ok(key));
    assert_eq!(
        ENGINE.check_idempotency(&context).verdict,
        IdempotencyVerdict::New
    );
}

fn webhook(id: &str, signature: &str, timestamp: &str, body: &[u8]) {
    let secret = || -> WebhookSecret {
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
            .parse()
            .expect("a secret")
    };
    let Ok(context) = SignWebhookContext::new(id, now(), vec![secret()]) else {
        return;
    };
    let headers = ENGINE.sign_webhook(body, &context);
    let verify = |timestamp: &str, signature: &str, body: &[u8]| {
        let headers = [
            ("Webhook-ID", id),
            ("webhook-timestamp", timestamp),
            ("WEBHOOK-SIGNATURE", signature),
        ];
        let context = VerifyWebhookContext::new(
            headers.map(|(name, value)| (name, value.to_owned())),
            vec![secret()],
            now(),
        );
        ENGINE.verify_webhook(body, &context.expect("a context"))
    };
    assert_eq!(verify(&headers.timestamp, &headers.signature, body), Ok(()));
    let both = format!("{signature} {}", headers.signature);
    assert_eq!(verify(&headers.timestamp, &both, body), Ok(()), "{both}");
    let more = [body, b"x"].concat();
    assert_eq!(
        verify(&headers.timestamp, &headers.signature, &more),
        Err(WebhookRejection::Signature)
    );
    let entries: Vec<&str> = signature
        .split(", ")
        .flat_map(|header| header.split(' '))
        .filter(|entry| entry.starts_with("v1,") || entry.starts_with("v1a,"))
        .collect();
    let expected = match entries.as_slice() {
        [] if signature.is_empty() => Err(WebhookRejection::MissingHeader),
        [] => Err(WebhookRejection::MalformedHeader),
        entries if entries.contains(&headers.signature.as_str()) => Ok(()),
        _ => Err(WebhookRejection::Signature),
    };
    assert_eq!(
        verify(&headers.timestamp, signature, body),
        expected,
        "{signature}"
    );
    // Another timestamp is never accepted, since it is signed.
    if timestamp != headers.timestamp {
        assert!(
            verify(timestamp, &headers.signature, body).is_err(),
            "{timestamp}"
        );
    }
}

fn now() -> Timestamp {
    "2021-02-25T15:02:10Z".parse().expect("a timestamp")
}
