//! A request and its response, as they were recorded.

use payspec::Timestamp;

/// The body of a recorded message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Body {
    /// None was recorded.
    #[default]
    Absent,
    /// A body that the recording contains in a form that cannot be decoded.
    Unreadable,
    Bytes(Vec<u8>),
}

impl Body {
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        match self {
            Body::Bytes(bytes) => Some(bytes),
            Body::Absent | Body::Unreadable => None,
        }
    }
}

/// The headers and the body of a request or of a response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Message {
    /// Names in lower case, with their values.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Body,
}

impl Message {
    /// Returns the value of a header by its name in lower case.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }
}

/// A request and its response.
#[derive(Clone, Debug, Default)]
pub(super) struct Exchange {
    pub(super) method: String,
    pub(super) url: String,
    pub(super) request: Message,
    pub(super) status: u16,
    pub(super) response: Message,
    pub(super) started: Option<Timestamp>,
    /// The time from the request to the end of the response.
    pub(super) duration_ms: u64,
}

/// The endpoint of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Endpoint {
    Create,
    Status,
    Balance,
    /// Any other address, which may be that of a callback.
    Other,
}

impl Endpoint {
    /// Returns the endpoint of a URL. The base address may contain a path.
    pub(super) fn find(url: &str) -> Self {
        let path = url.split(['?', '#']).next().unwrap_or(url);
        let path = path.trim_end_matches('/');
        if path.ends_with("/v1/payments/new") {
            return Endpoint::Create;
        }
        if path.ends_with("/v1/partner/balance") {
            return Endpoint::Balance;
        }
        let uid = path
            .strip_suffix("/status")
            .and_then(|path| path.rsplit_once("/v1/payments/"));
        match uid {
            Some((_, uid)) if !uid.contains('/') => Endpoint::Status,
            _ => Endpoint::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_have_any_base_address() {
        for (url, endpoint) in [
            ("https://pay.example/v1/payments/new", Endpoint::Create),
            ("/psp/v1/payments/new?x=1", Endpoint::Create),
            ("https://pay.example/v1/payments/7/status", Endpoint::Status),
            (
                "https://pay.example/v1/payments/7/8/status",
                Endpoint::Other,
            ),
            ("https://pay.example/v1/partner/balance/", Endpoint::Balance),
            ("https://pay.example/v2/payments/new", Endpoint::Other),
        ] {
            assert_eq!(Endpoint::find(url), endpoint, "{url}");
        }
    }
}
