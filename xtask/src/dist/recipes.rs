//! The recipes for Conan and vcpkg, with the addresses and checksums of the archives for C.

use super::archive::{copy_tracked, tar_gz, write};
use super::build::Build;
use super::platform::PLATFORMS;
use super::sums::{sha256, sha512};
use crate::build::install::VERSION;
use serde_json::{Value, json};
use std::fs;

/// The address of the files of all releases.
pub(super) const RELEASES: &str = "https://payspec.example/releases/download";

impl Build<'_> {
    /// Builds an archive with the recipe for Conan, and one with the port for vcpkg. Both install
    /// the archives of glibc.
    pub(super) fn recipes(&self) -> Result<(), String> {
        let mut sources = json!({});
        let mut values = vec![
            ("@VERSION@".to_owned(), VERSION.to_owned()),
            ("@RELEASES@".to_owned(), RELEASES.to_owned()),
        ];
        for platform in PLATFORMS.iter().filter(|platform| !platform.is_musl()) {
            let name = format!("payspec-{VERSION}-{}.tar.gz", platform.name);
            let archive = self.out.join(&name);
            let architecture = if platform.processor == "aarch64" {
                "armv8"
            } else {
                platform.processor
            };
            sources[architecture] = json!({"url": format!("{RELEASES}/v{VERSION}/{name}"), "sha256": sha256(&archive)?});
            values.push((format!("@SHA512_{}@", platform.name), sha512(&archive)?));
        }
        // JSON is YAML.
        let data: Value = json!({"sources": {VERSION: {"Linux": sources}}});
        let conan = self.stage(&format!("payspec-conan-{VERSION}"))?;
        copy_tracked(self.root, "bindings/cpp/conan", &conan)?;
        let text = serde_json::to_string_pretty(&data).map_err(|error| error.to_string())?;
        write(&conan.join("conandata.yml"), &(text + "\n"))?;
        tar_gz(
            &conan,
            &self.out.join(format!("payspec-conan-{VERSION}.tar.gz")),
        )?;

        let vcpkg = self.stage(&format!("payspec-vcpkg-{VERSION}"))?;
        let port = vcpkg.join("ports/payspec");
        copy_tracked(self.root, "bindings/cpp/vcpkg", &port)?;
        for file in ["portfile.cmake", "vcpkg.json"] {
            let path = port.join(file);
            let text = fs::read_to_string(&path).map_err(|error| format!("{file}: {error}"))?;
            write(
                &path,
                &values
                    .iter()
                    .fold(text, |text, (name, value)| text.replace(name, value)),
            )?;
        }
        tar_gz(
            &vcpkg,
            &self.out.join(format!("payspec-vcpkg-{VERSION}.tar.gz")),
        )
    }
}
