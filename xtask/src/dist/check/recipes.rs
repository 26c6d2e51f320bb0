//! The recipes for Conan and vcpkg.

use super::installation::{Packages, isolated, program_of};
use super::native::with_cmake;
use crate::build::install::VERSION;
use crate::dist::archive::write;
use crate::dist::output::text_of;
use crate::dist::recipes::RELEASES;
use crate::support::test_counts::TestCounts;
use std::path::Path;
use std::process::Command;

/// The functions of vcpkg that the port calls, with the archives of this build as downloads. vcpkg
/// itself is in no registry of packages.
const VCPKG: &str = r#"
set(VCPKG_TARGET_ARCHITECTURE x64)
function(vcpkg_download_distfile result)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "URLS;FILENAME;SHA512" "")
  file(SHA512 "${DIST}/${arg_FILENAME}" found)
  if(NOT found STREQUAL arg_SHA512 OR NOT arg_URLS MATCHES "^https://.*/v${VERSION}/${arg_FILENAME}$")
    message(FATAL_ERROR "${arg_URLS}: another checksum or address")
  endif()
  set(${result} "${DIST}/${arg_FILENAME}" PARENT_SCOPE)
endfunction()
function(vcpkg_extract_source_archive result)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ARCHIVE" "")
  file(ARCHIVE_EXTRACT INPUT "${arg_ARCHIVE}" DESTINATION "${CMAKE_CURRENT_BINARY_DIR}/source")
  file(GLOB folder "${CMAKE_CURRENT_BINARY_DIR}/source/*")
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()
function(vcpkg_replace_string file from to)
  file(READ "${file}" text)
  string(REPLACE "${from}" "${to}" replaced "${text}")
  if(replaced STREQUAL text)
    message(FATAL_ERROR "${file} does not contain ${from}")
  endif()
  file(WRITE "${file}" "${replaced}")
endfunction()
function(vcpkg_fixup_pkgconfig)
endfunction()
function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(INSTALL ${arg_FILE_LIST} DESTINATION "${CURRENT_PACKAGES_DIR}/share/payspec")
endfunction()
"#;

/// Compiles and runs the test package of Conan's recipe with both kinds of libraries, and checks
/// the port of vcpkg.
pub(super) fn run(packages: &Packages) -> Result<TestCounts, String> {
    let folder = packages.empty("recipes")?;
    for name in ["conan", "vcpkg"] {
        let archive = packages.file(&format!("payspec-{name}-"), ".tar.gz")?;
        text_of(
            Command::new("tar")
                .arg("-xzf")
                .arg(archive)
                .arg("-C")
                .arg(&folder),
        )?;
    }
    let data = folder.join(format!("payspec-conan-{VERSION}/conandata.yml"));
    let text = std::fs::read_to_string(&data).map_err(|error| error.to_string())?;
    let local = format!("file://{}", packages.dist.display());
    write(
        &data,
        &text.replace(&format!("{RELEASES}/v{VERSION}"), &local),
    )?;
    let mut counts = TestCounts::default();
    for shared in ["True", "False"] {
        let script = format!(
            "test -f home/profiles/default || conan profile detect\n\
             conan create payspec-conan-{VERSION} --version {VERSION} -o '&:shared={shared}'"
        );
        let mut conan = isolated("sh", &folder);
        conan
            .args(["-ec", &script])
            .env("CONAN_HOME", folder.join("home"));
        conan.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        if !text_of(&mut conan)?.lines().any(|line| line == "accepted") {
            return Err("the test package of Conan printed no verdict".to_owned());
        }
        counts.add(TestCounts::of_check(true));
    }
    counts.add(port(packages, &folder)?);
    Ok(counts)
}

/// Installs the port, and compiles the program of the readme with both kinds of libraries of the
/// installation.
fn port(packages: &Packages, folder: &Path) -> Result<TestCounts, String> {
    let port = folder.join(format!("payspec-vcpkg-{VERSION}/ports/payspec"));
    let (cmake, manifest) = (port.join("portfile.cmake"), port.join("vcpkg.json"));
    // C0103 is a convention for names of variables that vcpkg does not follow. A checksum has 128
    // digits.
    text_of(
        Command::new("cmake-lint")
            .args(["--disabled-codes=C0103", "--line-width=150", "--"])
            .arg(&cmake),
    )?;
    let text =
        std::fs::read_to_string(&manifest).map_err(|error| format!("vcpkg.json: {error}"))?;
    let manifest: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| format!("vcpkg.json: {error}"))?;
    if manifest["version"] != VERSION {
        return Err(format!(
            "vcpkg.json has another version: {}",
            manifest["version"]
        ));
    }
    let script = format!(
        "{VCPKG}include(\"${{CMAKE_CURRENT_LIST_DIR}}/payspec-vcpkg-{VERSION}/ports/payspec/portfile.cmake\")\n"
    );
    write(&folder.join("install.cmake"), &script)?;
    let installed = folder.join("installed");
    let mut install = isolated("cmake", folder);
    install
        .arg(format!("-DDIST={}", packages.dist.display()))
        .arg(format!("-DVERSION={VERSION}"));
    install
        .arg(format!("-DCURRENT_PACKAGES_DIR={}", installed.display()))
        .args(["-P", "install.cmake"]);
    text_of(&mut install)?;
    let project = folder.join("project");
    program_of(
        &payspec_tests::root().join("bindings/cpp/README.md"),
        "cpp",
        &project.join("gateway.cpp"),
    )?;
    with_cmake(&project, &installed)
}
