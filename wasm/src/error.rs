//! Errors as exceptions of JavaScript.

use payspec::Error;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(raw_module = "#error")]
extern "C" {
    /// The class of caller errors in `js/error.js`, to which `build.mjs` resolves the name.
    pub type PayspecError;

    #[wasm_bindgen(constructor, catch)]
    fn new(code: &str, path: &str, message: &str) -> Result<PayspecError, JsValue>;

    /// Returns the error for a text that does not fit into a string of JavaScript.
    #[wasm_bindgen(js_name = tooLong)]
    fn too_long() -> PayspecError;
}

impl From<Error> for PayspecError {
    fn from(error: Error) -> PayspecError {
        PayspecError::new(error.kind().name(), error.path(), error.message())
            .unwrap_or_else(|_| too_long())
    }
}
