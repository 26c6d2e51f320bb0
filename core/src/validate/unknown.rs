//! Members that are not in a schema: legacy members and unknown members. They are reported in the
//! order of the body, each name once.

use super::validator::Validator;
use crate::json::{Occurrence, occurrences};
use crate::report::code::Code;
use crate::report::{Params, Pointer};
use crate::schema::legacy::BodyChanges;

/// Reports the unknown members of a body. `changes` has the members of the legacy API.
pub(crate) fn report(validator: &mut Validator<'_, '_>, changes: &'static BodyChanges) {
    let unknown = &*validator.slots.presence.unknown;
    if unknown.is_empty() {
        return;
    }
    let occurrences = occurrences(unknown);
    let lists_warnings = [Code::LegacyMember, Code::UnknownMember]
        .iter()
        .any(|code| validator.is_observable(*code));
    if !lists_warnings && occurrences.iter().all(|one| *one == Occurrence::Only) {
        return;
    }
    for (member, occurrence) in unknown.iter().zip(occurrences) {
        let path = Pointer::unknown(member);
        match occurrence {
            Occurrence::Repeated => continue,
            Occurrence::First => {
                let flow = validator.report_at(Code::DuplicateMember, path, Params::None);
                if flow.is_break() {
                    continue;
                }
            }
            Occurrence::Only => {}
        }
        // An unknown member has no further rules.
        let _ = match changes.find(member.schema, member.name) {
            Some(change) => {
                let replaced_by = Params::ReplacedBy(change.current);
                validator.report_at(Code::LegacyMember, path, replaced_by)
            }
            None => validator.report_at(Code::UnknownMember, path, Params::None),
        };
    }
}
