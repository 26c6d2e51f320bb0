//! Sets the linker options for symbols of Node.js.

fn main() {
    napi_build::setup();
}
