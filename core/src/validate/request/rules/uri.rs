//! The rules of URIs.

use crate::json::FieldId;
use crate::report::Pointer;
use crate::schema::request::RequestField;
use crate::validate::request::validator::RequestValidator;
use crate::validate::uri::{Hosts, Schemes};
use crate::validate::validator::Flow;

impl RequestValidator<'_, '_, '_> {
    /// Checks an absolute URI (`uri_syntax`, `uri_scheme`, `uri_credentials`), and its host
    /// (`uri_private_host`).
    pub(super) fn uri(&mut self, field: RequestField, text: &str, hosts: Hosts) -> Flow {
        let path = Pointer::field(field.entry());
        self.v.uri(path, text, Schemes::OfPolicy, hosts)
    }
}

#[cfg(test)]
mod tests {
    use crate::validate::request::testing::{check, check_under};

    #[test]
    fn uris_are_absolute_and_have_an_accepted_scheme() {
        check(&[
            (r#""redirect_url":"https://shop.example/a?b#c""#, &[]),
            (r#""redirect_url":"/a""#, &["/redirect_url uri_syntax"]),
            (
                r#""redirect_url":"https:///a""#,
                &["/redirect_url uri_syntax"],
            ),
            (
                r#""redirect_url":"https://h:65536/""#,
                &["/redirect_url uri_syntax"],
            ),
            (
                r#""redirect_url":"ftp://shop.example/""#,
                &["/redirect_url uri_scheme"],
            ),
            (
                r#""redirect_url":"https://a@shop.example/""#,
                &["/redirect_url uri_credentials"],
            ),
        ]);
        check_under(
            r#"{"limits":{"uri_bytes":11},"urls":{"schemes":["ftp"]}}"#,
            &[
                (r#""redirect_url":"ftp://a.bc/""#, &[]),
                (
                    r#""redirect_url":"ftp://a.bcd/""#,
                    &["/redirect_url text_too_long"],
                ),
            ],
        );
    }

    #[test]
    fn only_the_callback_has_a_public_host() {
        check(&[
            (
                r#""callback":"https://127.0.0.1/""#,
                &["/callback uri_private_host"],
            ),
            (r#""redirect_url":"https://127.0.0.1/""#, &[]),
        ]);
    }
}
