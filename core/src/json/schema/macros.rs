//! The macro that declares schemas.

/// Declares the fields of an object and of the objects in it.
///
/// A row is `Variant "name": Type`. Without a type, any type is accepted. An object with a schema of
/// its own is `Variant "name": Object(SCHEMA)`. The slots follow the order of the rows.
///
/// For example,
///
/// ```text
/// object_schema! {
///     /// Fields of a refund.
///     pub(crate) enum RefundField;
///     REFUND "" { Amount "amount": String, Card "card": Object(CARD), Note "note" }
///     CARD "/card" { Number "number": String }
/// }
/// ```
///
/// expands to an enum of all fields, one schema for each object, and the way from a field to its
/// slot and its schema:
///
/// ```text
/// /// Fields of a refund.
/// #[repr(u8)]
/// pub(crate) enum RefundField { Amount, Card, Note, Number }
///
/// pub(crate) static REFUND: ObjectSchema = ObjectSchema::new("", 0, &[
///     Field::new("/amount", JsonType::String),
///     Field::new("/card", JsonType::Object).with_schema(&CARD),
///     Field::new("/note", JsonType::Any),
/// ]);
/// pub(crate) static CARD: ObjectSchema = ObjectSchema::new("/card", 3, &[
///     Field::new("/card/number", JsonType::String),
/// ]);
///
/// impl RefundField {
///     pub(crate) const COUNT: usize = 4;
///     /// The fields of all schemas by slot.
///     pub(crate) const FIELDS: &[&Field; 4] = …;
///     pub(crate) const fn slot(self) -> usize { self as usize }
/// }
///
/// impl FieldId for RefundField { … }
/// ```
macro_rules! object_schema {
    (
        $(#[$doc:meta])* $vis:vis enum $kind:ident;
        $($schema:ident $pointer:literal {
            $($field:ident $name:literal $(: $json_type:ident $(($inner:ident))?)?),+ $(,)?
        })+
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        $vis enum $kind {
            $($(#[doc = concat!("`", $pointer, "/", $name, "`")] $field,)+)+
        }

        $(
            pub(crate) static $schema: $crate::json::ObjectSchema = $crate::json::ObjectSchema::new(
                $pointer,
                [$($kind::$field.slot()),+][0],
                &[$(
                    $crate::json::Field::new(
                        concat!($pointer, "/", $name),
                        $crate::json::object_schema!(@type $($json_type)?),
                    )
                    $($(.with_schema(&$inner))?)?
                ),+],
            );
        )+

        impl $kind {
            /// The number of fields.
            $vis const COUNT: usize = [$($($kind::$field),+),+].len();

            /// The fields of all schemas by slot.
            $vis const FIELDS: &'static [&'static $crate::json::Field; Self::COUNT] = {
                static FIELDS: [&$crate::json::Field; $kind::COUNT] =
                    [$($(&$schema.fields[$kind::$field.slot() - $schema.first]),+),+];
                &FIELDS
            };

            /// The JSON types by slot.
            const TYPES: &'static [$crate::json::JsonType; Self::COUNT] =
                &[$($($crate::json::object_schema!(@type $($json_type)?)),+),+];

            #[expect(clippy::as_conversions, reason = "the discriminants are the slots")]
            $vis const fn slot(self) -> usize {
                self as usize
            }
        }

        const _: () = $crate::json::check_schemas(&[$(&$schema),+]);

        impl $crate::json::FieldId for $kind {
            const ROOT: &'static $crate::json::ObjectSchema = [$(&$schema),+][0];
            const ALL: &'static [&'static $crate::json::Field] = $kind::FIELDS;

            fn slot(self) -> usize {
                self.slot()
            }

            #[expect(
                clippy::indexing_slicing,
                reason = "a slot is below COUNT, and the compiler knows it"
            )]
            fn entry(self) -> &'static $crate::json::Field {
                $kind::FIELDS[self.slot()]
            }

            #[expect(
                clippy::indexing_slicing,
                reason = "a slot is below COUNT, and the compiler knows it"
            )]
            #[inline]
            fn json_type(self) -> $crate::json::JsonType {
                $kind::TYPES[self.slot()]
            }
        }
    };
    (@type) => { $crate::json::JsonType::Any };
    (@type $json_type:ident) => { $crate::json::JsonType::$json_type };
}

pub(crate) use object_schema;
