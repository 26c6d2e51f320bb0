//! Does nothing: only packages with a build script have build-dependencies, whose features are
//! unified too.

fn main() {}
