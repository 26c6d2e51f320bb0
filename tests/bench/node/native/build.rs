//! What a linker must know of symbols that Node.js has.

fn main() {
    napi_build::setup();
}
