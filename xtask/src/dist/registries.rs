//! The command line for the registries of npm and PyPI, for Homebrew, and for Scoop: the program of
//! the archives, so that nothing has to be compiled.

use super::archive::{EPOCH, copy, copy_tracked, write};
use super::build::Build;
use super::platform::{Platform, System};
use super::sums::sha256;
use crate::build::install::VERSION;
use crate::setup;
use crate::support::files::text;
use crate::support::process::{run_in, text_of};
use anyhow::{Context, Result};
use fs_err as fs;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// The folder of the files of a version. The address of the project replaces it before a release.
const RELEASES: &str = "https://payspec.example/releases/download";
const HOME: &str = "https://payspec.example";
const ABOUT: &str = "The interface of a payment service on the command line";
const LICENSE: &str = "MIT OR Apache-2.0";

/// Returns the processor in names of Node.js.
pub(super) fn node_processor(platform: &Platform) -> &'static str {
    match platform.processor {
        "x86_64" => "x64",
        _ => "arm64",
    }
}

/// Returns the system in names of Node.js, and as people call it.
pub(super) fn node_system(platform: &Platform) -> (&'static str, &'static str) {
    match platform.system {
        System::Linux => ("linux", "Linux"),
        System::MacOs => ("darwin", "macOS"),
        System::Windows => ("win32", "Windows"),
    }
}

/// Returns the tags of the wheel. A static program runs with every C library of Linux.
pub(super) fn wheel_tags(platform: &Platform) -> String {
    if platform.system != System::Linux {
        return platform.wheel.to_owned();
    }
    let tags = ["manylinux_2_17", "manylinux2014", "musllinux_1_1"];
    let tags = tags.map(|tag| format!("{tag}_{}", platform.processor));
    tags.join(".")
}

impl Build<'_> {
    /// Builds a package of npm for each platform, and the one that depends on all of them.
    pub(super) fn npm_programs(&self) -> Result<()> {
        let mut platforms = serde_json::Map::new();
        for (platform, program) in self.command_lines() {
            let ((system, title), processor) = (node_system(platform), node_processor(platform));
            let name = format!("@payspec/cli-{system}-{processor}");
            let folder = self.stage(&format!("npm-cli-{system}-{processor}"))?;
            copy(program, &folder.join("bin").join(platform.program()))?;
            let manifest = json!({
                "name": name, "version": VERSION, "license": LICENSE,
                "description": format!("{ABOUT}: the program for {title} on {processor}"),
                "os": [system], "cpu": [processor], "preferUnplugged": true,
            });
            self.npm_pack(&folder, &manifest)?;
            platforms.insert(name, VERSION.into());
        }
        let folder = self.stage("npm-cli")?;
        copy_tracked(self.root, "cli/packages/npm", &folder)?;
        // The launcher of the library.
        fs::remove_file(folder.join("library.cjs"))?;
        let manifest = json!({
            "name": "payspec-cli", "version": VERSION, "license": LICENSE, "description": ABOUT,
            "bin": {"payspec": "payspec.cjs", "payspec-cli": "payspec.cjs"},
            "engines": {"node": ">=20"}, "optionalDependencies": platforms,
        });
        self.npm_pack(&folder, &manifest)
    }

    fn npm_pack(&self, folder: &Path, manifest: &Value) -> Result<()> {
        let manifest = serde_json::to_string_pretty(manifest)? + "\n";
        write(&folder.join("package.json"), &manifest)?;
        let out = text(self.out)?;
        run_in(
            folder,
            "npm",
            &["pack", "--silent", "--pack-destination", out],
        )
    }

    /// Builds a wheel with the program for each platform.
    pub(super) fn wheels_of_programs(&self) -> Result<()> {
        for (platform, program) in self.command_lines() {
            let folder = self.stage(&format!("python-cli-{}", platform.name))?;
            copy_tracked(self.root, "cli/packages/python", &folder)?;
            let inside = folder.join("payspec_cli").join(platform.program());
            copy(program, &inside)?;
            let mut python = Command::new(setup::python());
            python.args(["-c", "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"]);
            python.arg(self.out).current_dir(&folder);
            python
                .env("SOURCE_DATE_EPOCH", EPOCH)
                .env("PYTHONHASHSEED", "0")
                .env("PAYSPEC_WHEEL_PLATFORM", wheel_tags(platform));
            text_of(&mut python)?;
        }
        Ok(())
    }

    /// Writes the formula of Homebrew, with the checksums of the archives. The program writes its
    /// manual pages and completions.
    pub(super) fn formula(&self) -> Result<()> {
        let mut sources = String::new();
        for (system, block) in [(System::MacOs, "on_macos"), (System::Linux, "on_linux")] {
            let platforms = self.platforms_of(system);
            if platforms.is_empty() {
                continue;
            }
            sources += &format!("  {block} do\n");
            for platform in platforms {
                let (url, sum) = self.released(platform)?;
                let processor = if platform.processor == "x86_64" {
                    "intel"
                } else {
                    "arm"
                };
                sources += &format!(
                    "    on_{processor} do\n      url \"{url}\"\n      sha256 \"{sum}\"\n    end\n"
                );
            }
            sources += "  end\n\n";
        }
        let formula = format!(
            r##"class Payspec < Formula
  desc "{ABOUT}"
  homepage "{HOME}"
  version "{VERSION}"
  license any_of: ["MIT", "Apache-2.0"]

{sources}  def install
    bin.install "bin/payspec"
    man1.mkpath
    system bin/"payspec", "man", man1
    generate_completions_from_executable(bin/"payspec", "completions")
  end

  test do
    (testpath/"body.json").write "{{}}"
    assert_match "missing", shell_output("#{{bin}}/payspec validate body.json", 1)
  end
end
"##
        );
        write(&self.out.join("payspec.rb"), &formula)
    }

    /// Writes the manifest of Scoop, with the checksums of the archives.
    pub(super) fn scoop(&self) -> Result<()> {
        let mut architectures = serde_json::Map::new();
        for platform in self.platforms_of(System::Windows) {
            let (url, sum) = self.released(platform)?;
            let name = match platform.processor {
                "x86_64" => "64bit",
                _ => "arm64",
            };
            let folder = format!("payspec-cli-{VERSION}-{}", platform.name);
            architectures.insert(
                name.to_owned(),
                json!({ "url": url, "hash": sum, "extract_dir": folder }),
            );
        }
        let manifest = json!({
            "version": VERSION, "description": ABOUT, "homepage": HOME, "license": "MIT|Apache-2.0",
            "architecture": architectures, "bin": "bin\\payspec.exe",
        });
        let manifest = serde_json::to_string_pretty(&manifest)? + "\n";
        write(&self.out.join("payspec.json"), &manifest)
    }

    /// Returns the platforms of a system whose command line was built.
    fn platforms_of(&self, system: System) -> Vec<&'static Platform> {
        let all = self.command_lines();
        let platforms = all.into_iter().map(|(platform, _)| platform);
        platforms
            .filter(|platform| platform.system == system)
            .collect()
    }

    /// Returns the address of the archive of a platform in a release, and its checksum.
    fn released(&self, platform: &Platform) -> Result<(String, String)> {
        let archive = archive(platform);
        let sum = sha256(&self.out.join(&archive)).with_context(|| archive.clone())?;
        Ok((format!("{RELEASES}/v{VERSION}/{archive}"), sum))
    }
}

/// Returns the name of the archive of the command line.
fn archive(platform: &Platform) -> String {
    format!(
        "payspec-cli-{VERSION}-{}.{}",
        platform.name,
        platform.archive()
    )
}

#[cfg(test)]
mod tests {
    use super::RELEASES;
    use crate::dist::platform::{Extent, System};
    use payspec_support::root;
    use std::collections::BTreeSet;

    /// `cargo binstall` reads the names of the archives from the manifest.
    #[test]
    fn archives_are_those_of_binstall() {
        let text = std::fs::read_to_string(root().join("cli/Cargo.toml")).unwrap();
        let manifest: toml::Table = toml::from_str(&text).unwrap();
        let binstall = &manifest["package"]["metadata"]["binstall"];
        let overrides = binstall["overrides"].as_table().unwrap();
        let mut targets = BTreeSet::new();
        let platforms = [Extent::All.with_programs(), Extent::All.other_systems()].concat();
        for platform in platforms {
            // A static program is also that of a system with glibc, and one of Windows needs no
            // library of its compiler.
            for target in [
                platform.target.to_owned(),
                platform.target.replace("musl", "gnu"),
                platform.target.replace("gnullvm", "msvc"),
                platform.target.replace("windows-gnu", "windows-msvc"),
            ] {
                if target.ends_with("msvcllvm") || !targets.insert(target.clone()) {
                    continue;
                }
                let archive = format!("payspec-cli-{{ version }}-{}", platform.name);
                let of_target =
                    |key: &str| overrides[&target].get(key).and_then(toml::Value::as_str);
                let url = format!("{RELEASES}/v{{ version }}/{archive}.{}", platform.archive());
                assert_eq!(of_target("pkg-url"), Some(url.as_str()));
                let program = match platform.system {
                    System::Windows => "{ bin }.exe",
                    System::Linux | System::MacOs => "{ bin }",
                };
                let inside = format!("{archive}/bin/{program}");
                assert_eq!(of_target("bin-dir"), Some(inside.as_str()));
                let format = (platform.system == System::Windows).then_some("zip");
                assert_eq!(of_target("pkg-fmt"), format);
            }
        }
        assert_eq!(overrides.len(), targets.len());
    }
}
