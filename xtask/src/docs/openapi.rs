//! Lints the OpenAPI document with Redocly and Spectral, and compares the script of the API reference with its npm package.
//! `docs/tools` fixes the versions.

use super::common::{failed, output, printed, sources, write};
use crate::build::npm;
use payspec_tests::json::Json;
use payspec_tests::root;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The script of the API reference: in the npm package, and in the gateway.
const SCRIPT: [&str; 2] = [
    "docs/tools/node_modules/openapi-explorer/dist/browser/openapi-explorer.min.js",
    "examples/gateway/src/docs/vendor/openapi-explorer.js",
];

/// Fails if the gateway's copy differs from the npm package. With `BLESS=1`, copies it.
pub(super) fn check_reference() -> Result<(), String> {
    npm::install(&sources().join("tools"))?;
    let [package, copy] = SCRIPT.map(|path| root().join(path));
    if std::env::var_os("BLESS").is_some() {
        fs::copy(&package, &copy).map_err(failed(&copy))?;
    }
    let read = |path: &Path| fs::read(path).map_err(failed(path));
    match read(&package)? == read(&copy)? {
        true => Ok(()),
        false => Err(format!("{} differs: BLESS=1 cargo xtask test book", copy.display())),
    }
}

/// Fails if one of the linters has an error or a warning.
pub(super) fn check() -> Result<(), String> {
    let folder = sources().join("tools");
    npm::install(&folder)?;
    let document = output().join("openapi.json");
    write(&document, &printed(&["openapi"])?)?;
    let lint = |arguments: &[&str]| {
        let program = folder.join("node_modules/.bin").join(arguments[0]);
        let mut command = Command::new(program);
        command.args(&arguments[1..]).arg(&document).current_dir(&folder);
        // Without these, the first one connects to a server.
        command.env("REDOCLY_TELEMETRY", "off").env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
        let result = command.output().map_err(|error| format!("{}: {error}", arguments[0]))?;
        Ok::<_, String>((result.status.success(), String::from_utf8_lossy(&result.stdout).into_owned()))
    };
    let (_, report) = lint(&["redocly", "lint", "--config", "redocly.yaml", "--format", "json"])?;
    let report = Json::parse(report.as_bytes()).map_err(|error| format!("the report of redocly: {error}"))?;
    let problems = report.get("problems").ok_or("redocly reports no list of problems")?.elements();
    let message = |problem: &Json| problem.get("message").and_then(Json::as_str).unwrap_or_default().to_owned();
    if !problems.is_empty() {
        return Err(format!("redocly: {}", problems.iter().map(message).collect::<Vec<_>>().join("\n")));
    }
    match lint(&["spectral", "lint", "--ruleset", "spectral.yaml", "--fail-severity", "hint"])? {
        (true, _) => Ok(()),
        (false, report) => Err(format!("spectral: {report}")),
    }
}
