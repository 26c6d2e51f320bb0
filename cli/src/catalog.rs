//! Texts and facts about rules that several commands show.

use std::borrow::Cow;

use payspec::{Code, DECISIONS};

/// The part of the body that is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marks {
    /// The name of a member, and not its value.
    Name,
    Value,
    /// The whole body: its size or depth.
    Body,
}

impl Marks {
    pub(crate) fn of(code: Code) -> Self {
        match code {
            Code::UnknownMember
            | Code::LegacyMember
            | Code::VariantMismatch
            | Code::DuplicateMember => Marks::Name,
            Code::BodyTooLarge | Code::TooDeep => Marks::Body,
            _ => Marks::Value,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Marks::Name => "name",
            Marks::Value => "value",
            Marks::Body => "body",
        }
    }
}

/// Returns the source, and for a decision what it decides.
pub(crate) fn source(id: &'static str) -> Cow<'static, str> {
    match DECISIONS.iter().find(|decision| decision.id == id) {
        Some(decision) => format!("{id}: {}", decision.open.trim_end_matches('.')).into(),
        None => id.into(),
    }
}

/// Returns a message as a sentence. Its parameters are shown by name.
pub(crate) fn sentence(message: &str) -> String {
    let mut characters = message.chars();
    let first: String = characters
        .next()
        .map(|first| first.to_uppercase().collect())
        .unwrap_or_default();
    format!("{first}{}.", characters.as_str())
}
