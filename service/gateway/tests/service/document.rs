//! schemathesis against a running gateway: no server error, no answer outside the document.

use std::process::Command;

use crate::database::Database;
use crate::gateway::{self, Gateway};

/// A schema cannot say that an amount has no more digits than its currency, or that a card number
/// has a right check digit: rejecting such a body is not a fault. All other checks of schemathesis
/// run.
const NOT: &str = "positive_data_acceptance";

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| {
        text.parse().unwrap_or_else(|_| panic!("{name}: a number"))
    })
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes a minute: `cargo xtask test schemathesis` runs it"]
async fn schemathesis_finds_no_answer_outside_the_document() {
    let (seconds, seed) = (
        setting("SCHEMATHESIS_SECONDS", 60),
        setting("SCHEMATHESIS_SEED", 1),
    );
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let gateway = Gateway::start(&database, &[]).await;
        let folder = tempfile::tempdir().unwrap();
        let status = Command::new("schemathesis")
            .args(["run", &format!("{}/openapi.json", gateway.base), "--header"])
            .arg(format!("Authorization: Bearer {token}"))
            .args([
                "--checks",
                "all",
                "--exclude-checks",
                NOT,
                "--continue-on-failure",
                "--request-timeout",
                "20",
            ])
            .args([
                "--max-time",
                &(seconds / 2).max(1).to_string(),
                "--seed",
                &seed.to_string(),
            ])
            // It leaves a folder of what it has tried.
            .current_dir(folder.path())
            .status()
            .expect("schemathesis is missing: pip install schemathesis==4.32.5");
        assert!(status.success(), "{status}: see above");
        let made = database.count("SELECT count(*) FROM payments").await;
        assert!(
            made > 10,
            "it has made {made} payments: it has not come far"
        );
    }
}
