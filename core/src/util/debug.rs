//! `Debug` of types whose values may be secrets, personal data, or card numbers.

/// Implements `Debug` with the listed fields only.
macro_rules! impl_debug_of_fields {
    ($($type:ident $(<$lifetime:lifetime>)? { $($field:ident),+ })*) => {
        $(
            impl core::fmt::Debug for $type $(<$lifetime>)? {
                fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                    let mut shown = f.debug_struct(stringify!($type));
                    $(shown.field(stringify!($field), &self.$field);)+
                    shown.finish_non_exhaustive()
                }
            }
        )*
    };
}

/// Implements `Debug` with the type's name and a placeholder for the content.
macro_rules! impl_opaque_debug {
    ($($type:ident $(<$lifetime:lifetime>)? $placeholder:literal)*) => {
        $(
            impl core::fmt::Debug for $type $(<$lifetime>)? {
                fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                    f.write_str(concat!(stringify!($type), $placeholder))
                }
            }
        )*
    };
}

pub(crate) use impl_debug_of_fields;
pub(crate) use impl_opaque_debug;
