//! Standard Webhooks 1.0.0, symmetric signatures: made by the sender, verified by the receiver.
//!
//! Signed is `id.timestamp.body` with HMAC-SHA256. A message carries one signature for each secret in force, so that a
//! receiver can change its secret without missing anything: it is enough that one of its own matches one of them.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::header::HeaderMap;
use sha2::Sha256;

use super::secret::Secret;

/// The header with the identifier of the message: the same in every attempt, so that a receiver knows a repetition.
pub const ID: &str = "webhook-id";
/// The header with the time of the attempt, in seconds since 1970.
pub const TIMESTAMP: &str = "webhook-timestamp";
/// The header with the signatures, separated by spaces.
pub const SIGNATURE: &str = "webhook-signature";

const VERSION: &str = "v1";
/// How far the clocks of sender and receiver may be apart.
const TOLERANCE: Duration = Duration::from_secs(5 * 60);

/// The sender's own mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignError {
    /// It goes into a header, and a point would let it run into the timestamp.
    #[error("the message id must be visible ASCII without a point")]
    Id,
    /// A message without a signature is of no use to anybody.
    #[error("there is no secret to sign with")]
    NoSecret,
}

/// The value of the header [`SIGNATURE`].
///
/// # Errors
/// An id that is not valid in a header or in the signed text, or no secret.
pub fn sign(secrets: &[Secret], id: &str, timestamp: u64, body: &[u8]) -> Result<String, SignError> {
    if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'.') {
        return Err(SignError::Id);
    }
    let mut header = String::new();
    for secret in secrets {
        let separator = if header.is_empty() { "" } else { " " };
        let tag = STANDARD.encode(mac(secret, id, &timestamp.to_string(), body).finalize().into_bytes());
        // Writing into a String does not fail.
        let _ = write!(header, "{separator}{VERSION},{tag}");
    }
    if header.is_empty() { Err(SignError::NoSecret) } else { Ok(header) }
}

fn mac(secret: &Secret, id: &str, timestamp: &str, body: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.key()).expect("HMAC takes a key of any length");
    for part in [id.as_bytes(), b".", timestamp.as_bytes(), b".", body] {
        mac.update(part);
    }
    mac
}

/// What a receiver checks messages with.
#[derive(Debug, Clone)]
pub struct Verifier {
    secrets: Vec<Secret>,
    tolerance: Duration,
}

/// Why a message is not to be trusted. It is to be answered with a status outside 2xx, and thrown away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// A header is missing, or is there twice.
    #[error("expected the headers webhook-id, webhook-timestamp and webhook-signature, once each")]
    Headers,
    /// The time is not a number of seconds.
    #[error("the timestamp is not a number of seconds")]
    Timestamp,
    /// Too long ago: it may be recorded and sent again.
    #[error("the message is too old")]
    TooOld,
    /// The clocks are too far apart.
    #[error("the message is of the future")]
    TooNew,
    /// Not of anybody who has the secret, or changed on its way.
    #[error("no signature matches")]
    Signature,
}

impl Verifier {
    /// Takes any of these secrets, and clocks that are five minutes apart.
    pub fn new(secrets: Vec<Secret>) -> Self {
        Self { secrets, tolerance: TOLERANCE }
    }

    /// Takes other differences between the clocks.
    #[must_use]
    pub fn with_tolerance(self, tolerance: Duration) -> Self {
        Self { tolerance, ..self }
    }

    /// Judges a message by its headers and the bytes of its body as they came, before anything parses them.
    ///
    /// A verified message may still be a repetition, with the same [`ID`].
    ///
    /// # Errors
    /// Why not.
    pub fn verify(&self, headers: &HeaderMap, body: &[u8], now: SystemTime) -> Result<(), VerifyError> {
        let (id, timestamp) = (header(headers, ID)?, header(headers, TIMESTAMP)?);
        let signatures = header(headers, SIGNATURE)?;
        self.check_time(timestamp, now)?;
        let sound = self.secrets.iter().any(|secret| {
            let mac = mac(secret, id, timestamp, body);
            signatures
                .split(' ')
                .filter_map(|signature| STANDARD.decode(signature.strip_prefix(VERSION)?.strip_prefix(',')?).ok())
                // Compared in constant time.
                .any(|tag| mac.clone().verify_slice(&tag).is_ok())
        });
        if sound { Ok(()) } else { Err(VerifyError::Signature) }
    }

    fn check_time(&self, timestamp: &str, now: SystemTime) -> Result<(), VerifyError> {
        let digits = !timestamp.is_empty() && timestamp.bytes().all(|byte| byte.is_ascii_digit());
        let seconds = timestamp.parse().ok().filter(|_| digits).ok_or(VerifyError::Timestamp)?;
        let sent = UNIX_EPOCH.checked_add(Duration::from_secs(seconds)).ok_or(VerifyError::Timestamp)?;
        match now.duration_since(sent) {
            Ok(age) if age > self.tolerance => Err(VerifyError::TooOld),
            Err(ahead) if ahead.duration() > self.tolerance => Err(VerifyError::TooNew),
            _ => Ok(()),
        }
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Result<&'a str, VerifyError> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().map_err(|_| VerifyError::Headers),
        _ => Err(VerifyError::Headers),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = br#"{"test": 2432232314}"#;
    const SENT: u64 = 1_614_265_330;

    fn secret(text: &str) -> Secret {
        text.parse().unwrap()
    }

    fn old() -> Secret {
        secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    }

    fn new() -> Secret {
        secret("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
    }

    fn message(signature: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(ID, "msg_p5jXN8AQM9LWM0D4loKWxJek".parse().unwrap());
        headers.insert(TIMESTAMP, SENT.to_string().parse().unwrap());
        headers.insert(SIGNATURE, signature.parse().unwrap());
        headers
    }

    fn signed(secrets: &[Secret]) -> HeaderMap {
        message(&sign(secrets, "msg_p5jXN8AQM9LWM0D4loKWxJek", SENT, BODY).unwrap())
    }

    fn verify(secrets: Vec<Secret>, headers: &HeaderMap, body: &[u8], now: u64) -> Result<(), VerifyError> {
        Verifier::new(secrets).verify(headers, body, UNIX_EPOCH + Duration::from_secs(now))
    }

    /// The published vector of the Standard Webhooks libraries.
    #[test]
    fn the_published_vector() {
        let published = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(sign(&[old()], "msg_p5jXN8AQM9LWM0D4loKWxJek", SENT, BODY).unwrap(), published);
        assert_eq!(verify(vec![old()], &message(published), BODY, SENT), Ok(()));
    }

    #[test]
    fn any_secret_in_force_will_do() {
        let both = signed(&[new(), old()]);
        assert_eq!(verify(vec![old()], &both, BODY, SENT), Ok(()));
        assert_eq!(verify(vec![new()], &both, BODY, SENT), Ok(()));
        assert_eq!(verify(vec![new(), old()], &signed(&[old()]), BODY, SENT), Ok(()));
        assert_eq!(verify(vec![new()], &signed(&[old()]), BODY, SENT), Err(VerifyError::Signature));
        assert_eq!(verify(vec![], &both, BODY, SENT), Err(VerifyError::Signature));
        let value = both[SIGNATURE].to_str().unwrap();
        let among_others = message(&format!("v1a,c2ln v1,%%% v1 , v2,{} {value}", &value[3..47]));
        assert_eq!(verify(vec![old()], &among_others, BODY, SENT), Ok(()));
    }

    #[test]
    fn rejects_every_change() {
        let sound = signed(&[old()]);
        assert_eq!(verify(vec![old()], &sound, &BODY[1..], SENT), Err(VerifyError::Signature));
        for (name, value) in [(ID, "msg_other"), (TIMESTAMP, "1614265331"), (SIGNATURE, "v1,"), (SIGNATURE, "v1,AAAA")]
        {
            let mut changed = sound.clone();
            changed.insert(name, value.parse().unwrap());
            assert_eq!(verify(vec![old()], &changed, BODY, SENT), Err(VerifyError::Signature), "{name}: {value}");
        }
        let other_version = sound[SIGNATURE].to_str().unwrap().replace("v1,", "v2,");
        assert_eq!(verify(vec![old()], &message(&other_version), BODY, SENT), Err(VerifyError::Signature));
        for name in [ID, TIMESTAMP, SIGNATURE] {
            let mut changed = sound.clone();
            changed.append(name, sound[name].clone());
            assert_eq!(verify(vec![old()], &changed, BODY, SENT), Err(VerifyError::Headers), "{name} twice");
            changed.remove(name);
            assert_eq!(verify(vec![old()], &changed, BODY, SENT), Err(VerifyError::Headers), "no {name}");
        }
    }

    #[test]
    fn five_minutes_either_way() {
        let sound = signed(&[old()]);
        for (now, expected) in [
            (SENT + 300, Ok(())),
            (SENT + 301, Err(VerifyError::TooOld)),
            (SENT - 300, Ok(())),
            (SENT - 301, Err(VerifyError::TooNew)),
        ] {
            assert_eq!(verify(vec![old()], &sound, BODY, now), expected, "{now}");
        }
        for time in ["", "+1614265330", "-1", "1614265330.0", "99999999999999999999", "18446744073709551615", "now"] {
            let mut changed = sound.clone();
            changed.insert(TIMESTAMP, time.parse().unwrap());
            assert_eq!(verify(vec![old()], &changed, BODY, SENT), Err(VerifyError::Timestamp), "{time}");
        }
        let strict = Verifier::new(vec![old()]).with_tolerance(Duration::ZERO);
        assert_eq!(strict.verify(&sound, BODY, UNIX_EPOCH + Duration::from_secs(SENT + 1)), Err(VerifyError::TooOld));
    }

    #[test]
    fn what_cannot_be_signed() {
        for id in ["", "a.b", "a b", "a\n", "é"] {
            assert_eq!(sign(&[old()], id, SENT, BODY), Err(SignError::Id), "{id:?}");
        }
        assert_eq!(sign(&[], "msg_1", SENT, BODY), Err(SignError::NoSecret));
        assert!(!format!("{:?}", Verifier::new(vec![old()])).contains("MfKQ"));
    }
}
