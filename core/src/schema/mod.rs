//! The fields of every object of the interface, as data.

pub(crate) mod legacy;
pub(crate) mod payment;
pub(crate) mod request;
