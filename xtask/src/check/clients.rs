//! The clients that others generate from the OpenAPI document, with the gateway: openapi-typescript
//! and openapi-fetch in Node.js, openapi-python-client and datamodel-code-generator in Python,
//! openapi-generator in PHP and Java. The patterns of the document are compiled in ECMAScript, RE2,
//! and PCRE. Swagger UI shows it in Chromium.

use crate::build::npm;
use crate::setup;
use crate::support::checks::Checks;
use crate::support::process;
use anyhow::Result;
use payspec_support::root;

/// Runs the step `clients`.
pub(crate) fn check() -> Result<Checks> {
    let program = process::executable(&process::build(&["--bin", "gateway"], &[])?, "gateway")?;
    let folder = root().join("service/gateway/tests/clients");
    // The tests start the gateway like those of its page, which need the browser's driver.
    npm::install(&root().join("wasm"))?;
    npm::install(&folder)?;
    let variables = [
        ("PAYSPEC_GATEWAY", program.as_path()),
        ("PAYSPEC_PYTHON", &setup::python()),
    ];
    npm::node_test(&folder, &folder, |_| true, &[], &variables)
}
