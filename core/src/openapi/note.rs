//! The documentation of the fields of an object, as a table.

/// The documentation of a field.
pub(super) struct Note<Field, Form> {
    pub(super) field: Field,
    pub(super) form: Form,
    pub(super) decisions: &'static [&'static str],
    pub(super) text: &'static str,
}

/// Declares a table with one note for each field of an `object_schema!`, in the order of the fields.
///
/// A note consists of the field, the format of its value, the decisions that it is based on, and a description.
macro_rules! notes {
    (
        $table:ident: [$fields:ident, $form:ident];
        $($field:ident $format:ident $(($argument:expr))? [$($decision:literal)*] $text:literal;)+
    ) => {
        pub(super) static $table: [Note<$fields, $form>; $fields::COUNT] = [$(Note {
            field: $fields::$field,
            form: $form::$format $(($argument))?,
            decisions: &[$($decision),*],
            text: $text,
        }),+];

        const _: () = {
            let mut slot: usize = 0;
            $(
                assert!($fields::$field.slot() == slot, concat!("the note is out of order: ", stringify!($field)));
                slot = slot.saturating_add(1);
            )+
            assert!(slot == $fields::COUNT);
        };
    };
}

pub(super) use notes;
