//! The step `clients`: generates clients from the OpenAPI document of the gateway with
//! openapi-typescript and openapi-python-client, and runs them with it.

use crate::build::npm;
use crate::setup;
use crate::support::process;
use crate::support::test_counts::TestCounts;
use payspec_support::root;

/// Returns the counts, and the problem if there is one.
pub(crate) fn check() -> (TestCounts, Option<String>) {
    npm::counted(clients())
}

fn clients() -> npm::CheckResult {
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
