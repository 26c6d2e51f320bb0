//! The redacted form of a recorded exchange.

use super::exchange::{Body, Exchange};
use super::secrets::Secrets;

/// The longest part of a body in a report, in characters.
const SHOWN: usize = 600;

/// An exchange that contradicts a decision. It contains no card data and no credential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sample {
    /// The place in the input.
    pub(super) place: String,
    /// The difference, without values. It may name members.
    pub(super) difference: String,
    pub(super) status: u16,
    pub(super) request: Option<String>,
    pub(super) response: Option<String>,
}

impl Sample {
    pub(super) fn new(place: &str, difference: &str, exchange: &Exchange) -> Self {
        let secrets = Secrets::new(exchange);
        let body = |body: &Body| Some(shortened(&secrets.body(body.bytes()?)));
        Sample {
            place: place.to_owned(),
            difference: shortened(&secrets.text(difference)),
            status: exchange.status,
            request: body(&exchange.request.body),
            response: body(&exchange.response.body),
        }
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hides_card_data_and_credentials() {
        let mut exchange = Exchange::default();
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        exchange.request.headers = vec![
            header("authorization", "Bearer tok-canary"),
            header("idempotency-key", "\"key-canary\""),
        ];
        let body = br#"{"pan":"4111111111111111","cvv":"739","x":"tok-canary key-canary","access_token":"other"}"#;
        exchange.request.body = Body::Bytes(body.to_vec());
        exchange.response.body = Body::Bytes(b"not JSON 4111111111111111 key-canary".to_vec());
        let difference = "rejected: missing at /tok-canary";
        let sample = format!("{:?}", Sample::new("a", difference, &exchange));
        for canary in [
            "4111111111111111",
            "739",
            "tok-canary",
            "key-canary",
            "other",
        ] {
            assert!(!sample.contains(canary), "{canary}: {sample}");
        }
        assert!(sample.contains("411111******1111"), "{sample}");
    }
}
