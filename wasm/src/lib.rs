//! The JavaScript API: the class `Engine` of wasm-bindgen, with one method for each operation.
//!
//! JavaScript encodes a text directly into the memory of an engine, and reads the answer from it:
//! wasm-bindgen's conversion of a `String` takes longer than the validation of a body. Values that
//! JavaScript receives as objects are converted by serde-wasm-bindgen. The JavaScript code is in
//! `js/`, and the module of `payspec/checkout` in `page/`.

extern crate alloc;

mod allocator;
mod engine;
mod error;
mod object_tape;
mod objects;
mod operations;
mod report_numbers;
