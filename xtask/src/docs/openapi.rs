//! Lints the OpenAPI document with Redocly, and compares the script of the API
//! reference with its npm package. `docs/tools` fixes the versions.

use super::common::{failed, output, printed, sources, write};
use crate::build::npm;
use payspec_support::json::Json;
use payspec_support::root;
use std::fs;
use std::path::Path;
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
pub(super) fn check_reference() -> Result<(), String> {
    npm::install(&sources().join("tools"))?;
    let [package, copy] = SCRIPT.map(|path| root().join(path));
    let licenses = root().join(LICENSES);
    let expected = third_party_licenses()?;
    if std::env::var_os("BLESS").is_some() {
        fs::copy(&package, &copy).map_err(failed(&copy))?;
        write(&licenses, &expected)?;
    }
    let read = |path: &Path| fs::read(path).map_err(failed(path));
    match read(&package)? == read(&copy)? && read(&licenses)? == expected.as_bytes() {
        true => Ok(()),
        false => Err(format!(
            "{} or its licenses differ: BLESS=1 cargo xtask test book",
            copy.display()
        )),
    }
}

/// Returns name, version, and license of each package that the script needs, with the text of the
/// license.
fn third_party_licenses() -> Result<String, String> {
    let folder = sources().join("tools");
    let lock = folder.join("package-lock.json");
    let lock = Json::parse(&fs::read(&lock).map_err(failed(&lock))?)?;
    let packages = lock
        .get("packages")
        .ok_or("the lock file has no packages")?;
    let (mut names, mut next) = (vec!["openapi-explorer".to_owned()], 0);
    let mut list = String::new();
    while let Some(name) = names.get(next).cloned() {
        next += 1;
        let path = format!("node_modules/{name}");
        let package = packages
            .get(&path)
            .ok_or_else(|| format!("{name} is not in the lock file"))?;
        for (dependency, _) in package.get("dependencies").map_or(&[][..], Json::members) {
            if !names.contains(dependency) {
                names.push(dependency.clone());
            }
        }
        let member = |name| {
            package
                .get(name)
                .and_then(Json::as_str)
                .unwrap_or("unknown")
        };
        list.push_str(&format!(
            "{name} {} ({})\n\n",
            member("version"),
            member("license")
        ));
        let mut entries: Vec<_> = fs::read_dir(folder.join(&path))
            .map_err(failed(&folder))?
            .flatten()
            .collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        let is_license = |entry: &&fs::DirEntry| {
            entry
                .file_name()
                .to_string_lossy()
                .to_ascii_lowercase()
                .starts_with("licen")
        };
        for license in entries.iter().filter(is_license) {
            let text = fs::read_to_string(license.path()).map_err(failed(&license.path()))?;
            text.trim()
                .lines()
                .for_each(|line| list.push_str(&format!("{}\n", line.trim_end())));
            list.push('\n');
        }
    }
    Ok(list)
}

/// Fails if Redocly has an error or a warning.
pub(super) fn check() -> Result<(), String> {
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
    let report = redocly.output().map_err(failed(Path::new("redocly")))?;
    let report =
        Json::parse(&report.stdout).map_err(|error| format!("the report of redocly: {error}"))?;
    let problems = report
        .get("problems")
        .ok_or("redocly reports no list of problems")?
        .elements();
    let message = |problem: &Json| {
        problem
            .get("message")
            .and_then(Json::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    if problems.is_empty() {
        return Ok(());
    }
    Err(format!(
        "redocly: {}",
        problems.iter().map(message).collect::<Vec<_>>().join("\n")
    ))
}
