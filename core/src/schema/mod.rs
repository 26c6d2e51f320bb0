//! The fields of every object of the interface, as data.

pub(crate) mod context;
pub(crate) mod legacy;
pub(crate) mod payment;
pub(crate) mod request;

/// The number of slots of a request or of a payment, the larger of the two.
pub(crate) const MOST_SLOTS: usize = {
    let (request, payment) = (request::RequestField::COUNT, payment::PaymentField::COUNT);
    if request > payment { request } else { payment }
};
