//! The rules of members with listed values, and of members that depend on the variant.

use crate::report::code::Code;
use crate::report::{Allowed, Params};
use crate::schema::request::{RequestField, variant_of};
use crate::util::string_enum::StringEnum;
use crate::validate::request::validator::RequestValidator;
use crate::validate::validator::Flow;

impl RequestValidator<'_, '_, '_> {
    /// Accepts any value of the field's type.
    pub(super) fn any(&mut self, _: RequestField, _: &str) -> Flow {
        Flow::Continue(())
    }

    /// Checks that the value is the name of a variant of `T` (`unsupported_value`).
    #[inline]
    pub(super) fn listed<T: StringEnum>(&mut self, field: RequestField, text: &str) -> Flow {
        if T::is_name(text) {
            return Flow::Continue(());
        }
        let allowed = Params::Allowed(Allowed::Names(T::NAMES));
        self.report(Code::UnsupportedValue, field, allowed)
    }

    /// Reports a member that only the other variant has (`variant_mismatch`), unless it is
    /// duplicated.
    pub(super) fn for_variant(&mut self, field: RequestField, _: &str) -> Flow {
        let fits = self
            .kind
            .variant
            .is_none_or(|variant| variant_of(field.slot()) == Some(variant));
        let is_duplicate = self.v.slots.is_duplicate(field);
        self.check(fits || is_duplicate, Code::VariantMismatch, field)
    }

    /// Reports a member of the legacy API without successor. The specification does not show
    /// whether the current request has it (D4).
    pub(super) fn legacy(&mut self, field: RequestField, _: &str) -> Flow {
        self.report(Code::LegacyMember, field, Params::ReplacedBy(None))
    }

    /// Checks that the credential may act for the merchant (`merchant_not_allowed`).
    pub(super) fn allowed_merchant(&mut self, field: RequestField, text: &str) -> Flow {
        let is_allowed = self
            .inputs
            .merchants
            .is_none_or(|allowed| allowed.iter().any(|id| id == text));
        self.check(is_allowed, Code::MerchantNotAllowed, field)
    }
}

#[cfg(test)]
mod tests {
    use crate::validate::request::testing::{check, violations_under};

    #[test]
    fn listed_values_are_case_sensitive() {
        let body =
            r#"{"payment_type":"PAY_IN","mode":"p2p","cur":"RUB","amount":"1","subtype":"card"}"#;
        let found = violations_under("{}", body);
        let expected = [
            "/payment_type unsupported_value",
            "/mode unsupported_value",
            "/subtype unsupported_value",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn members_of_the_other_variant_are_reported() {
        check(&[
            (r#""user_name":"Anna""#, &[]),
            (
                r#""pay_out_details":{}"#,
                &["/pay_out_details variant_mismatch"],
            ),
            (r#""system":null"#, &["/system legacy_member"]),
            (r#""host2host":true"#, &[]),
            (r#""host2host":"true""#, &["/host2host type"]),
        ]);
    }
}
