//! Helpers that do not depend on payments: bytes, lists, maps, string enums.

pub(crate) mod bug;
#[cfg(feature = "fast")]
pub(crate) mod bytes;
pub(crate) mod debug;
#[cfg(feature = "alloc")]
pub(crate) mod inline_vec;
#[cfg(not(feature = "fast"))]
pub(crate) mod plain_bytes;
#[cfg(feature = "serde")]
pub(crate) mod serde_str;
#[cfg(not(feature = "alloc"))]
pub(crate) mod slice_vec;
#[cfg(feature = "alloc")]
pub(crate) mod sorted_map;
pub(crate) mod string_enum;
#[cfg(test)]
pub(crate) mod tests;

#[cfg(not(feature = "fast"))]
pub(crate) use plain_bytes as bytes;
