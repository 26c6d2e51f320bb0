//! The credentials of an exchange, and texts and bodies without them.

use serde_json::Value;

use super::engine::ENGINE;
use super::exchange::Exchange;

/// Replaces a credential.
pub(super) const HIDDEN: &str = "***";
/// The minimum length of a secret in a header. A shorter value may be any word.
const SHORTEST: usize = 4;
/// The minimum length of a secret that is a part of a value, such as one of a cookie.
const SHORTEST_PART: usize = 8;
/// A secret of this length is not a part of another word by chance, so it is replaced there too.
const LONG: usize = 16;
/// Parts of the names of headers and members that contain credentials, without `_` and `-`, in
/// lower case.
const CREDENTIALS: [&str; 8] = [
    "token",
    "authorization",
    "secret",
    "password",
    "idempotencykey",
    "apikey",
    "authkey",
    "session",
];
/// Parts of the names of other headers that contain credentials.
const SECRET_HEADERS: [&str; 5] = ["auth", "cookie", "idempotency", "key", "signature"];

/// The credentials in the headers and in the address of a request, the longest first.
pub(super) struct Secrets(Vec<String>);

impl Secrets {
    pub(super) fn new(exchange: &Exchange) -> Self {
        let mut secrets = Vec::new();
        for (name, value) in &exchange.request.headers {
            if is_secret(name) {
                add(value, &mut secrets);
            }
        }
        let query = exchange.url.split_once('?').map_or("", |(_, query)| query);
        for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
            if is_secret(&name.to_lowercase()) {
                add(value, &mut secrets);
            }
        }
        // JSON may contain a slash with an escape.
        let escaped = secrets.iter().filter(|secret| secret.contains('/'));
        let escaped: Vec<_> = escaped.map(|secret| secret.replace('/', "\\/")).collect();
        secrets.extend(escaped);
        secrets.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        secrets.dedup();
        Secrets(secrets)
    }

    /// Returns a body without card data and credentials. Names of members stay.
    ///
    /// A body that the library does not read, such as a large one, is redacted as text.
    pub(super) fn body(&self, body: &[u8]) -> String {
        let hidden = match serde_json::from_slice::<Value>(body) {
            Ok(mut json) => match self.hide(&mut json) {
                true => json.to_string().into_bytes(),
                // The spelling of the body stays.
                false => body.to_vec(),
            },
            Err(_) => self.hidden(&String::from_utf8_lossy(body)).into_bytes(),
        };
        ENGINE
            .redact(&hidden)
            .unwrap_or_else(|_| ENGINE.redact_text(&String::from_utf8_lossy(&hidden)))
    }

    /// Returns a text without card data and credentials.
    pub(super) fn text(&self, text: &str) -> String {
        ENGINE.redact_text(&self.hidden(text))
    }

    fn hidden(&self, text: &str) -> String {
        let mut text = without_parts_of_addresses(text);
        for secret in &self.0 {
            if text.contains(secret.as_str()) {
                text = without(&text, secret);
            }
        }
        text
    }

    /// Hides the credentials in the values of a body. Returns whether it contains one.
    fn hide(&self, json: &mut Value) -> bool {
        match json {
            Value::Object(members) => {
                let mut is_changed = false;
                for (name, value) in members {
                    if is_credential(name) {
                        *value = Value::from(HIDDEN);
                        is_changed = true;
                    } else {
                        is_changed |= self.hide(value);
                    }
                }
                is_changed
            }
            Value::Array(items) => {
                let mut is_changed = false;
                for item in items {
                    is_changed |= self.hide(item);
                }
                is_changed
            }
            Value::String(text) => {
                let hidden = self.hidden(text);
                let is_changed = hidden != *text;
                *text = hidden;
                is_changed
            }
            _ => false,
        }
    }
}

/// Adds a value with and without its scheme and quotes, and its long parts.
fn add(value: &str, secrets: &mut Vec<String>) {
    let credentials = value.split_once(' ').map_or(value, |(_, rest)| rest);
    for whole in [value, credentials, value.trim_matches('"')] {
        if whole.len() >= SHORTEST {
            secrets.push(whole.to_owned());
        }
    }
    for part in credentials.split([' ', ',', ';']) {
        let value = part.split_once('=').map_or(part, |(_, value)| value);
        for part in [part, value.trim_matches('"')] {
            if part.len() >= SHORTEST_PART {
                secrets.push(part.to_owned());
            }
        }
    }
}

/// Returns whether a header or a parameter contains a credential or an idempotency key. The name is
/// in lower case.
pub(super) fn is_secret(name: &str) -> bool {
    SECRET_HEADERS.iter().any(|part| name.contains(part)) || is_credential(name)
}

fn is_credential(name: &str) -> bool {
    let name: String = name
        .chars()
        .filter(|character| !matches!(character, '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect();
    CREDENTIALS.iter().any(|part| name.contains(part))
}

/// Returns a text whose addresses have no user, no fragment, and no values in their queries, any of
/// which may be a credential.
fn without_parts_of_addresses(text: &str) -> String {
    let mut pieces = text.split("://");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let is_end = |next: char| next.is_whitespace() || "\"'<>\\`".contains(next);
        let (address, rest) = piece.split_at(piece.find(is_end).unwrap_or(piece.len()));
        out += "://";
        out += &without_credentials(address);
        out += rest;
    }
    out
}

/// Returns an address, after its scheme, without credentials.
fn without_credentials(address: &str) -> String {
    let (before, fragment) = split(address, '#');
    let (place, query) = split(before, '?');
    let (authority, path) = place.split_at(place.find('/').unwrap_or(place.len()));
    let host = match authority.rsplit_once('@') {
        Some((_, host)) => format!("{HIDDEN}@{host}"),
        None => authority.to_owned(),
    };
    let pair = |pair: &str| match pair.split_once('=') {
        Some((name, _)) => format!("{name}={HIDDEN}"),
        None => HIDDEN.to_owned(),
    };
    let query = query.map(|query| query.split('&').map(pair).collect::<Vec<_>>().join("&"));
    let query = query.map_or(String::new(), |query| format!("?{query}"));
    let fragment = fragment.map_or(String::new(), |_| format!("#{HIDDEN}"));
    format!("{host}{path}{query}{fragment}")
}

/// Splits an address before a part that begins with this character.
fn split(address: &str, at: char) -> (&str, Option<&str>) {
    address
        .split_once(at)
        .map_or((address, None), |(before, after)| (before, Some(after)))
}

/// Returns a text without a secret. A short one is replaced only if it is a whole token.
fn without(text: &str, secret: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for (start, _) in text.match_indices(secret) {
        let end = start + secret.len();
        let is_whole = !continues(text[..start].chars().rev()) && !continues(text[end..].chars());
        if is_whole || secret.len() >= LONG {
            out += &text[copied..start];
            out += HIDDEN;
            copied = end;
        }
    }
    out + &text[copied..]
}

/// Returns whether a token continues with these characters, which begin at its end.
fn continues(mut characters: impl Iterator<Item = char>) -> bool {
    match characters.next() {
        // A decimal point, but not the end of a sentence.
        Some('.') => characters.next().is_some_and(char::is_alphanumeric),
        Some(next) => next.is_alphanumeric() || matches!(next, '-' | '_'),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::exchange::Exchange;
    use super::*;

    fn secrets(headers: &[(&str, &str)]) -> Secrets {
        let mut exchange = Exchange {
            url: "/v1/payments/new?access_token=query-canary&x=1".to_owned(),
            ..Exchange::default()
        };
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        exchange.request.headers = headers.iter().map(owned).collect();
        Secrets::new(&exchange)
    }

    #[test]
    fn replaces_whole_tokens_in_values_only() {
        let secrets = secrets(&[
            ("idempotency-key", "1500"),
            ("cookie", "x=card; sid=\"cookie-canary\""),
            ("authorization", "Basic dXNlcjpw/XNzd29yZA=="),
            ("x-auth-key", "auth-canary"),
        ]);
        for unchanged in [
            r#"{"b":1, "a":"1500.00", "card":{"1500":1500}, "type":"card"}"#,
            r#"{"a":"Basic plan", "b":"0.1500 x-1500 1500_1 15001"}"#,
        ] {
            assert_eq!(secrets.body(unchanged.as_bytes()), unchanged);
        }
        for (body, expected) in [
            (
                r#"{"b":"x 1500.","a":["1500"]}"#,
                r#"{"a":["***"],"b":"x ***."}"#,
            ),
            (r#"{"a":"dXNlcjpw\/XNzd29yZA=="}"#, r#"{"a":"***"}"#),
            (
                r#"{"a":"{\"b\":\"dXNlcjpw\\\/XNzd29yZA==\"}"}"#,
                r#"{"a":"{\"b\":\"***\"}"}"#,
            ),
            (r#"{"a":"xdXNlcjpw/XNzd29yZA==x"}"#, r#"{"a":"x***x"}"#),
            (
                r#"{"a":"cookie-canary","b":"query-canary"}"#,
                r#"{"a":"***","b":"***"}"#,
            ),
            (
                "not JSON: auth-canary, dXNlcjpw\\/XNzd29yZA==",
                "not JSON: ***, ***",
            ),
        ] {
            assert_eq!(secrets.body(body.as_bytes()), expected);
        }
    }

    #[test]
    fn hides_credentials_in_addresses() {
        for (text, expected) in [
            (
                "https://u:pw@shop.example/cb?token=x&order=1&y#z",
                "https://***@shop.example/cb?token=***&order=***&***#***",
            ),
            (
                "see http://a@b@c/ and https://shop.example/?a=1, thanks",
                "see http://***@c/ and https://shop.example/?a=*** thanks",
            ),
            ("https://[::1]:8080/a", "https://[::1]:8080/a"),
            (
                "https://shop.example?view=x",
                "https://shop.example?view=***",
            ),
            ("a://", "a://"),
            ("no address: a=b&c", "no address: a=b&c"),
        ] {
            assert_eq!(secrets(&[]).hidden(text), expected);
        }
        let body = br#"{"callback":"https:\/\/u:pw@shop.example\/?token=x"}"#;
        let expected = r#"{"callback":"https://***@shop.example/?token=***"}"#;
        assert_eq!(secrets(&[]).body(body), expected);
        let cut = br#"{"callback":"https://u:pw@shop.example/?token=x","a":"#;
        let expected = r#"{"callback":"https://***@shop.example/?token=***","a":"#;
        assert_eq!(secrets(&[]).body(cut), expected);
    }

    #[test]
    fn hides_members_with_credentials() {
        let body = br#"{"a":{"access_token":"x","Session-Id":7},"cvv":"739"}"#;
        let expected = r#"{"a":{"Session-Id":"***","access_token":"***"},"cvv":"***"}"#;
        assert_eq!(secrets(&[]).body(body), expected);
    }
}
