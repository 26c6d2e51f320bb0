//! Sets the path of the program `gateway`, which cargo builds into the folder of this profile.

use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // OUT_DIR is TARGET/PROFILE/build/PACKAGE/out.
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let folder = out.ancestors().nth(3).expect("a folder of the profile");
    println!(
        "cargo::rustc-env=GATEWAY_PROGRAM={}",
        folder.join("gateway").display()
    );
}
