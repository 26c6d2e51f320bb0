//! Lints the OpenAPI document with Redocly, and compares the script of the API
//! reference with its npm package. `docs/tools` fixes the versions.

use super::common::{output, printed, sources, write};
use crate::build::npm;
use crate::support::checks::none;
use crate::support::files::below;
use anyhow::{Context, Result, anyhow};
use fs_err as fs;
use payspec_support::root;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The script of the API reference: in the npm package, and in the gateway.
const SCRIPT: [&str; 2] = [
    "docs/tools/node_modules/openapi-explorer/dist/browser/openapi-explorer.min.js",
    "service/gateway/src/docs/vendor/openapi-explorer.js",
];

/// The licenses of the packages that the script contains, beside it.
const LICENSES: &str = "service/gateway/src/docs/vendor/THIRD-PARTY.txt";

/// Fails if the gateway's copy, or the list of its licenses, differs from the npm packages. With
/// `BLESS=1`, copies both.
pub(super) fn check_reference() -> Result<()> {
    npm::install(&sources().join("tools"))?;
    let [package, copy] = SCRIPT.map(|path| root().join(path));
    let licenses = root().join(LICENSES);
    let expected = third_party_licenses()?;
    if std::env::var_os("BLESS").is_some() {
        fs::copy(&package, &copy)?;
        write(&licenses, &expected)?;
    }
    let read = |path: &Path| fs::read(path);
    match read(&package)? == read(&copy)? && read(&licenses)? == expected.as_bytes() {
        true => Ok(()),
        false => Err(anyhow!(
            "{} or its licenses differ: BLESS=1 cargo xtask test book",
            copy.display()
        )),
    }
}

/// Returns the licenses of the script and of all packages in it.
fn third_party_licenses() -> Result<String> {
    let folder = sources().join("tools");
    let lock: Value = serde_json::from_slice(&fs::read(folder.join("package-lock.json"))?)?;
    let (mut names, mut next) = (vec!["openapi-explorer".to_owned()], 0);
    let mut list = String::new();
    while let Some(name) = names.get(next).cloned() {
        next += 1;
        let path = format!("node_modules/{name}");
        let package = &lock["packages"][&path];
        let member = |name: &str| package[name].as_str().unwrap_or("unknown");
        list += &format!("{name} {} ({})\n\n", member("version"), member("license"));
        for (dependency, _) in package["dependencies"].as_object().into_iter().flatten() {
            if !names.contains(dependency) {
                names.push(dependency.clone());
            }
        }
        let is_license = |file: &PathBuf| {
            let name = file.to_string_lossy().to_ascii_lowercase();
            name.starts_with("licen") && !name.contains('/')
        };
        for license in below(&folder.join(&path))?.into_iter().filter(is_license) {
            let text = fs::read_to_string(folder.join(&path).join(license))?;
            for line in text.trim().lines() {
                list += &format!("{}\n", line.trim_end());
            }
            list.push('\n');
        }
    }
    Ok(list)
}

/// Fails if Redocly has an error or a warning.
pub(super) fn check() -> Result<()> {
    let folder = sources().join("tools");
    npm::install(&folder)?;
    let document = output().join("openapi.json");
    write(&document, &printed(&["openapi"])?)?;
    let mut redocly = Command::new(folder.join("node_modules/.bin/redocly"));
    redocly
        .args(["lint", "--config", "redocly.yaml", "--format", "json"])
        .arg(&document)
        .current_dir(&folder)
        // Without these, it connects to a server.
        .env("REDOCLY_TELEMETRY", "off")
        .env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    let report: Value = serde_json::from_slice(&redocly.output()?.stdout)?;
    let problems = report["problems"]
        .as_array()
        .context("redocly reports no list of problems")?;
    none(
        problems
            .iter()
            .map(|problem| format!("redocly: {}", problem["message"])),
    )
}
