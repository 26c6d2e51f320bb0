//! Rules of `callback` and `redirect_url`.

use super::validator::RequestValidator;
use crate::json::FieldId;
use crate::report::code::Code;
use crate::report::{Params, Pointer};
use crate::schema::request::RequestField;
use crate::validate::uri::validate_uri;

pub(super) fn callback(s: &mut RequestValidator<'_, '_>) {
    let Some(text) = s.v.string(RequestField::Callback) else { return };
    if text.with_decoded(|text| validate_uri(&mut s.v, Pointer::field(RequestField::Callback.entry()), text))
        == Some(true)
    {
        // Checked for `callback` only: a payer's browser may be in a private network, but the server must not be directed
        // to one.
        s.v.report(Code::UriPrivateHost, RequestField::Callback, Params::None);
    }
}

pub(super) fn redirect_url(s: &mut RequestValidator<'_, '_>) {
    if let Some(text) = s.v.string(RequestField::RedirectUrl) {
        text.with_decoded(|text| validate_uri(&mut s.v, Pointer::field(RequestField::RedirectUrl.entry()), text));
    }
}
