//! The rules of a URI, the same in requests and payments.

use super::validator::{Flow, Validator};
use crate::policy::Ruleset;
use crate::report::code::Code;
use crate::report::{Allowed, Params, Pointer};
use crate::types::uri::{ACTIVE_SCHEMES, Uri, UriPart, is_active_scheme};

/// The schemes that a URI may have.
#[derive(Clone, Copy)]
pub(crate) enum Schemes {
    /// Those of the policy.
    OfPolicy,
    /// All except active ones, because bank applications have their own.
    NotActive,
}

impl Schemes {
    fn accept(self, ruleset: &Ruleset, scheme: &str) -> bool {
        match self {
            Schemes::OfPolicy => ruleset.accepts_scheme(scheme),
            Schemes::NotActive => !is_active_scheme(scheme),
        }
    }

    fn params(self, ruleset: &Ruleset) -> Params {
        match self {
            Schemes::OfPolicy => Params::Allowed(Allowed::Texts(ruleset.schemes.clone())),
            Schemes::NotActive => Params::Refused(&ACTIVE_SCHEMES),
        }
    }
}

/// The hosts that a URI may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hosts {
    /// Any host.
    Any,
    /// Hosts that are reachable from the public Internet.
    Public,
}

impl<'a> Validator<'a, '_> {
    /// Validates the URI at `path`. Breaks if an error has ended its rules, or if its host cannot be
    /// read.
    #[inline(never)]
    pub(crate) fn uri(
        &mut self,
        path: Pointer<'a>,
        text: &str,
        schemes: Schemes,
        hosts: Hosts,
    ) -> Flow {
        let limit = self.ruleset.policy.limits.uri_bytes;
        if text.len() > self.ruleset.lengths.uri_bytes {
            self.report_at(Code::TextTooLong, path, Params::Limit(limit))?;
        }
        let Some(uri) = Uri::split(text) else {
            let _ = self.uri_syntax(path, UriPart::Scheme);
            return Flow::Break(());
        };
        let has_valid_characters = uri.has_valid_characters();
        if !has_valid_characters {
            self.uri_syntax(path, UriPart::Character)?;
        }
        if !schemes.accept(self.ruleset, uri.scheme) {
            let params = schemes.params(self.ruleset);
            self.report_at(Code::UriScheme, path, params)?;
        }
        if !has_valid_characters {
            return Flow::Break(());
        }
        let authority = uri.authority();
        if let Some(part) = authority.invalid {
            self.uri_syntax(path, part)?;
        }
        if authority.has_credentials {
            self.report_at(Code::UriCredentials, path, Params::None)?;
        }
        if hosts == Hosts::Public && authority.has_private_host() {
            self.report_at(Code::UriPrivateHost, path, Params::None)?;
        }
        Flow::Continue(())
    }

    fn uri_syntax(&mut self, path: Pointer<'a>, part: UriPart) -> Flow {
        self.report_at(Code::UriSyntax, path, Params::Reason(part))
    }
}
