//! One method for each operation, with the name in the core's table. JavaScript passes the lengths
//! of the inputs that it has written, and whether it needs the answer.

use payspec::operations::{OPERATIONS, index_of};
use wasm_bindgen::prelude::*;

use crate::engine::Engine;
use crate::error::PayspecError;

#[wasm_bindgen]
impl Engine {
    /// Calls `validate_request`. Returns 0 if the request is valid, and 1 if it is not, or a larger
    /// number, which is the summary of the report.
    ///
    /// # Errors
    /// Returns the errors of the operation.
    pub fn validate_request(
        &mut self,
        body: Option<u32>,
        now: Option<u32>,
        with_answer: bool,
    ) -> Result<u32, PayspecError> {
        if let (Some(body), None, true) = (body, now, with_answer) {
            return Ok(self.write_report(body));
        }
        const OPERATION: usize = index_of("validate_request");
        self.call(&OPERATIONS[OPERATION], [body, now], with_answer)
    }
}

macro_rules! operations {
    ($($name:ident)*) => {
        #[wasm_bindgen]
        impl Engine {
            $(
                /// Calls the operation. Returns 0 if it accepts, otherwise 1.
                ///
                /// # Errors
                /// Returns the errors of the operation.
                pub fn $name(
                    &mut self,
                    first: Option<u32>,
                    second: Option<u32>,
                    with_answer: bool,
                ) -> Result<u32, PayspecError> {
                    const OPERATION: usize = index_of(stringify!($name));
                    self.call(&OPERATIONS[OPERATION], [first, second], with_answer)
                }
            )*
        }
    };
}

operations! {
    create_payment read_payment read_balance check_payment field_currencies convert
    advance_payment check_transition states check_idempotency idempotency_key fingerprint_request
    authorize upgrade_request downgrade_request upgrade_balance downgrade_balance upgrade_payment
    downgrade_payment redact redact_text sign_webhook verify_webhook locate card_info
    compare_policies rules decisions openapi
}
