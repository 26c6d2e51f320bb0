//! The receiving side: verifies a message before anything parses it.

use std::error::Error;
use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

use payspec::{Engine, Timestamp, VerifyWebhookContext};
use reqwest::header::HeaderMap;

use super::secret::Secret;

/// Signs and verifies webhooks, which no policy changes.
pub(super) static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::default);

/// Verifies a message by its headers and the bytes of its body as received. A verified message may
/// still be a repetition, with the same `webhook-id`. Returns the index of the secret that it is
/// signed with: while a secret is replaced, the receiver sees when the sender has changed over.
///
/// # Errors
/// Returns a [`payspec::WebhookRejection`] if the message must not be trusted, or a
/// [`payspec::Error`] if there are no secrets.
pub fn verify(
    secrets: &[Secret],
    headers: &HeaderMap,
    body: &[u8],
    now: SystemTime,
) -> Result<usize, Box<dyn Error + Send + Sync>> {
    let verify = |secrets: &[Secret]| {
        let headers = headers
            .iter()
            .filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
        let secrets = secrets.iter().map(Secret::to_payspec).collect();
        let context = VerifyWebhookContext::new(headers, secrets, timestamp(now))?;
        Ok(ENGINE.verify_webhook(body, &context)?)
    };
    let matched = secrets
        .iter()
        .position(|secret| verify(std::slice::from_ref(secret)).is_ok());
    // Without a match, all of them give the reason.
    matched.map_or_else(|| verify(secrets).map(|()| 0), Ok)
}

/// Returns the time for the library. A clock outside the years 1970 to 9999 counts as 1970, so that
/// nothing is verified.
pub(super) fn timestamp(now: SystemTime) -> Timestamp {
    let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).ok();
    let timestamp =
        seconds.and_then(|seconds| Timestamp::from_unix(seconds, since.subsec_nanos()).ok());
    timestamp.unwrap_or_else(|| Timestamp::from_unix(0, 0).expect("1970 is a timestamp"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const BODY: &[u8] = br#"{"test": 2432232314}"#;

    /// The published vector of the Standard Webhooks libraries, with headers that do not belong to
    /// it.
    #[test]
    fn verifies_the_published_vector() {
        let secret: Secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse().unwrap();
        let mut headers = HeaderMap::new();
        headers.insert(
            "webhook-id",
            "msg_p5jXN8AQM9LWM0D4loKWxJek".parse().unwrap(),
        );
        headers.insert("webhook-timestamp", "1614265330".parse().unwrap());
        headers.insert(
            "webhook-signature",
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
                .parse()
                .unwrap(),
        );
        headers.insert("x-other", b"\xff".as_slice().try_into().unwrap());
        let at = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
        let verify = |body, now| {
            verify(std::slice::from_ref(&secret), &headers, body, now)
                .map_err(|error| error.to_string())
        };
        assert_eq!(verify(BODY, at(1_614_265_330)), Ok(0));
        assert_eq!(
            verify(&BODY[1..], at(1_614_265_330)),
            Err("signature".to_owned())
        );
        assert_eq!(verify(BODY, at(1_614_265_631)), Err("timestamp".to_owned()));
        assert_eq!(verify(BODY, at(u64::MAX >> 1)), Err("timestamp".to_owned()));
        let two = [Secret::generate().unwrap(), secret.clone()];
        assert_eq!(
            super::verify(&two, &headers, BODY, at(1_614_265_330)).unwrap(),
            1,
            "which one"
        );
        assert!(super::verify(&[], &headers, BODY, at(1_614_265_330)).is_err());
    }
}
