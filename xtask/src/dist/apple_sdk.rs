//! The part of Apple's SDK that Rust's linker needs: the names of the functions in the libraries of
//! macOS.

use super::archive::write;
use crate::build::cross::built;
use crate::setup::zig;
use anyhow::{Context, Result};
use fs_err as fs;
use std::path::PathBuf;

/// The frameworks that verify the certificates of TLS, and the names in them that rustls' verifier
/// uses. macOS has all of them since 10.14. The linker reports a name that is missing here.
const FRAMEWORKS: [(&str, &[&str]); 2] = [
    (
        "CoreFoundation",
        &[
            "CFArrayCreate",
            "CFDataCreate",
            "CFDateCreate",
            "CFErrorCopyDescription",
            "CFErrorGetCode",
            "CFRelease",
            "CFStringCreateWithBytes",
            "CFStringGetBytes",
            "CFStringGetCStringPtr",
            "CFStringGetLength",
            "kCFAbsoluteTimeIntervalSince1970",
            "kCFAllocatorDefault",
            "kCFTypeArrayCallBacks",
        ],
    ),
    (
        "Security",
        &[
            "SecCertificateCopySubjectSummary",
            "SecCertificateCreateWithData",
            "SecCopyErrorMessageString",
            "SecPolicyCreateSSL",
            "SecTrustCreateWithCertificates",
            "SecTrustEvaluateWithError",
            "SecTrustSetAnchorCertificates",
            "SecTrustSetAnchorCertificatesOnly",
            "SecTrustSetOCSPResponse",
            "SecTrustSetVerifyDate",
        ],
    ),
];

/// Writes the names, and returns the folder.
///
/// zig contains those of the C library. Its list has the names for arm64 under those of the
/// processor's variant for the system's own programs.
pub(super) fn folder() -> Result<PathBuf> {
    let folder = built().join("macos-sdk");
    let zig = zig()?;
    let zig = zig.parent().context("zig is in no folder")?;
    let system = fs::read_to_string(zig.join("lib/libc/darwin/libSystem.tbd"))?
        .replace("arm64e.x1-", "arm64e-")
        .replace("arm64e-macos", "arm64-macos");
    let libraries = folder.join("usr/lib");
    for name in ["libSystem.tbd", "libc.tbd", "libm.tbd"] {
        write(&libraries.join(name), &system)?;
    }
    // The standard library names it, and does not use it.
    write(
        &libraries.join("libiconv.tbd"),
        &names_in("/usr/lib/libiconv.2.dylib", &[]),
    )?;
    for (name, symbols) in FRAMEWORKS {
        let inside = format!("System/Library/Frameworks/{name}.framework");
        write(
            &folder.join(&inside).join(format!("{name}.tbd")),
            &names_in(&format!("/{inside}/Versions/A/{name}"), symbols),
        )?;
    }
    Ok(folder)
}

/// Returns the file for the linker with the names of C in a library that is installed at a path.
fn names_in(path: &str, symbols: &[&str]) -> String {
    // Apple's linker writes an underscore before names of C.
    let symbols: Vec<String> = symbols.iter().map(|name| format!("_{name}")).collect();
    let targets = "[ x86_64-macos, arm64-macos ]";
    format!(
        "--- !tapi-tbd\ntbd-version: 4\ntargets: {targets}\ninstall-name: {path}\n\
         exports:\n  - targets: {targets}\n    symbols: [ {} ]\n...\n",
        symbols.join(", ")
    )
}
