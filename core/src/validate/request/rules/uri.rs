//! The rules of URIs.

use crate::json::FieldId;
use crate::report::Pointer;
use crate::report::code::Code;
use crate::schema::request::RequestField;
use crate::validate::request::validator::RequestValidator;
use crate::validate::uri::Schemes;
use crate::validate::validator::Flow;

/// The hosts that a URI may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hosts {
    /// Any host.
    Any,
    /// Hosts that are reachable from the public Internet.
    Public,
}

impl RequestValidator<'_, '_, '_> {
    /// Checks a URI, and for public hosts `uri_private_host`.
    pub(super) fn uri(&mut self, field: RequestField, text: &str, hosts: Hosts) -> Flow {
        let path = Pointer::field(field.entry());
        let uri = self.v.uri(path, text, Schemes::OfPolicy)?;
        let is_accepted = hosts == Hosts::Any || !uri.has_private_host;
        self.check(is_accepted, Code::UriPrivateHost, field)
    }
}
