//! `Debug` of types whose values may contain personal data or card numbers.

/// Implements `Debug` with the listed fields only.
macro_rules! impl_debug_of_fields {
    ($($type:ident { $($field:ident),+ })*) => {
        $(
            impl core::fmt::Debug for $type<'_> {
                fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                    let mut shown = f.debug_struct(stringify!($type));
                    $(shown.field(stringify!($field), &self.$field);)+
                    shown.finish_non_exhaustive()
                }
            }
        )*
    };
}

pub(crate) use impl_debug_of_fields;
