//! The documents of OpenAPI and AsyncAPI, compared with the published schema of the latter.

use super::installation::Packages;
use crate::build::install::VERSION;
use crate::build::npm;
use crate::support::process::text_of;
use crate::support::test_counts::TestCounts;
use anyhow::{Context, Result, ensure};
use payspec_support::root;
use serde_json::Value;
use std::process::Command;

pub(super) const TOOLS: &str = "node";

/// Validates the document, and the example of each message with its schema.
const VALIDATE: &str = r##"
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [file, tools] = process.argv.slice(1);
const require = createRequire(`${tools}/`);
const Ajv = require("ajv").default;
const document = JSON.parse(readFileSync(file, "utf8"));
const schema = require("@asyncapi/specs/schemas/3.0.0-without-$id.json");
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
assert.ok(ajv.validate(schema, document), JSON.stringify(ajv.errors?.slice(0, 5), null, 1));
const { payload, headers, examples } = document.components.messages.payment;
const ofMessage = ajv.compile({ ...payload, components: document.components });
assert.ok(examples.length > 1);
for (const { name, payload } of examples) assert.ok(ofMessage(payload), `${name}: ${JSON.stringify(ofMessage.errors)}`);
assert.ok(!ofMessage({ ...examples[0].payload, state: "unknown" }));
assert.deepEqual(headers.required, Object.keys(headers.properties));
console.log(`${examples.length} examples`);
"##;

/// Checks both documents of the release.
pub(super) fn run(packages: &Packages) -> Result<TestCounts> {
    let document = |name: &str| packages.file(&format!("payspec-{name}-{VERSION}.json"), "");
    let openapi: Value = serde_json::from_slice(&fs_err::read(document("openapi")?)?)?;
    let version = openapi["openapi"].as_str().context("no version")?;
    ensure!(version.starts_with("3.1."), "OpenAPI {version}");
    ensure!(
        openapi["webhooks"]["payment"]["post"].is_object(),
        "no webhook"
    );
    let tools = root().join("docs/tools");
    npm::install(&tools)?;
    let mut node = Command::new("node");
    node.args(["--input-type=module", "--eval", VALIDATE, "--"]);
    let printed = text_of(node.arg(document("asyncapi")?).arg(&tools))?;
    ensure!(printed.ends_with(" examples\n"), "{printed}");
    Ok(TestCounts {
        passed: 2,
        failed: 0,
    })
}
