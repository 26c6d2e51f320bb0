//! The command line for the registries of npm and PyPI, and for Homebrew: the program of the
//! archives, so that nothing has to be compiled.

use super::archive::{EPOCH, copy, copy_tracked, write};
use super::build::Build;
use super::platform::Platform;
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
const ABOUT: &str = "The interface of a payment service on the command line";
const LICENSE: &str = "MIT OR Apache-2.0";

/// Returns the processor in names of Node.js.
pub(super) fn node_processor(platform: &Platform) -> &'static str {
    match platform.processor {
        "x86_64" => "x64",
        _ => "arm64",
    }
}

/// Returns the tags of the wheel. A static program runs with every C library.
pub(super) fn wheel_tags(platform: &Platform) -> String {
    let tags = ["manylinux_2_17", "manylinux2014", "musllinux_1_1"];
    let tags = tags.map(|tag| format!("{tag}_{}", platform.processor));
    tags.join(".")
}

impl Build<'_> {
    /// Builds a package of npm for each platform, and the one that depends on all of them.
    pub(super) fn npm_programs(&self) -> Result<()> {
        let mut platforms = serde_json::Map::new();
        for programs in self.programs {
            let processor = node_processor(programs.platform);
            let name = format!("@payspec/cli-linux-{processor}");
            let folder = self.stage(&format!("npm-cli-{processor}"))?;
            copy(&programs.payspec, &folder.join("bin/payspec"))?;
            let manifest = json!({
                "name": name, "version": VERSION, "license": LICENSE,
                "description": format!("{ABOUT}: the program for Linux on {processor}"),
                "os": ["linux"], "cpu": [processor], "preferUnplugged": true,
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
        for programs in self.programs {
            let folder = self.stage(&format!("python-cli-{}", programs.platform.name))?;
            copy_tracked(self.root, "cli/packages/python", &folder)?;
            copy(&programs.payspec, &folder.join("payspec_cli/payspec"))?;
            let mut python = Command::new(setup::python());
            python.args(["-c", "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"]);
            python.arg(self.out).current_dir(&folder);
            python
                .env("SOURCE_DATE_EPOCH", EPOCH)
                .env("PYTHONHASHSEED", "0")
                .env("PAYSPEC_WHEEL_PLATFORM", wheel_tags(programs.platform));
            text_of(&mut python)?;
        }
        Ok(())
    }

    /// Writes the formula of Homebrew, with the checksums of the archives.
    pub(super) fn formula(&self) -> Result<()> {
        let mut sources = String::new();
        for programs in self.programs {
            let archive = format!("payspec-cli-{VERSION}-{}.tar.gz", programs.platform.name);
            let sum = sha256(&self.out.join(&archive)).with_context(|| archive.clone())?;
            let processor = if programs.platform.processor == "x86_64" {
                "intel"
            } else {
                "arm"
            };
            sources += &format!(
                "    on_{processor} do\n      url \"{RELEASES}/v{VERSION}/{archive}\"\n      sha256 \"{sum}\"\n    end\n"
            );
        }
        let formula = format!(
            r##"class Payspec < Formula
  desc "{ABOUT}"
  homepage "https://payspec.example"
  version "{VERSION}"
  license any_of: ["MIT", "Apache-2.0"]

  on_linux do
{sources}  end

  def install
    bin.install "bin/payspec"
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/bash-completion/completions/payspec"
    zsh_completion.install "share/zsh/vendor-completions/_payspec"
    fish_completion.install "share/fish/vendor_completions.d/payspec.fish"
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
}

#[cfg(test)]
mod tests {
    use super::RELEASES;
    use crate::dist::platform::with_programs;
    use payspec_support::root;

    /// `cargo binstall` reads the names of the archives from the manifest.
    #[test]
    fn archives_are_those_of_binstall() {
        let text = std::fs::read_to_string(root().join("cli/Cargo.toml")).unwrap();
        let manifest: toml::Table = toml::from_str(&text).unwrap();
        let binstall = &manifest["package"]["metadata"]["binstall"];
        let overrides = binstall["overrides"].as_table().unwrap();
        for platform in with_programs(false) {
            // A static program is also that of a system with glibc.
            for target in [
                platform.target.to_owned(),
                platform.target.replace("musl", "gnu"),
            ] {
                let archive = format!("payspec-cli-{{ version }}-{}", platform.name);
                let of_target = |key: &str| overrides[&target][key].as_str().unwrap();
                let url = format!("{RELEASES}/v{{ version }}/{archive}.tar.gz");
                assert_eq!(of_target("pkg-url"), url);
                assert_eq!(of_target("bin-dir"), format!("{archive}/bin/{{ bin }}"));
            }
        }
        assert_eq!(overrides.len(), 4);
    }
}
