//! The JavaScript door: an engine with its own memory for inputs and answers, and one export for each operation.
//!
//! wasm-bindgen makes and frees engines. The calls go past it, by exports of our own: the text is encoded straight into
//! the engine's memory, and the answer is read where it was written. The JavaScript side is in `js/`.

mod door;
mod operations;
