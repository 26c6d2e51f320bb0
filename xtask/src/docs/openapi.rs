//! Lints the OpenAPI document with Redocly and Spectral, whose versions `docs/openapi` fixes.

use super::common::{output, printed, sources, write};
use crate::build::npm;
use payspec_tests::json::Json;
use std::process::Command;

/// Fails if one of the linters has an error or a warning.
pub(super) fn check() -> Result<(), String> {
    let folder = sources().join("openapi");
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
