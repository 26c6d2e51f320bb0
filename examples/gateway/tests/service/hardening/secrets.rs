//! Secrets at rest: who may read them.

use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::database::Database;
use crate::gateway::{self, BODY, Gateway};

fn mode(path: &str) -> u32 {
    Path::new(path).metadata().unwrap().permissions().mode() & 0o777
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_owner_reads_the_database() {
    let database = Database::sqlite();
    let file = database.url.trim_start_matches("sqlite:").to_owned();
    let token = gateway::token(&database, "shop-42");
    assert_eq!(mode(&file), 0o600, "a new file");
    // One that was made before.
    set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    let gateway = Gateway::start(&database, &[]).await;
    assert_eq!(gateway.create(&token, None, BODY).await.status, 201);
    for end in ["", "-wal", "-shm"] {
        assert_eq!(mode(&format!("{file}{end}")), 0o600, "{end}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_configuration_that_others_can_read_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gateway.toml");
    std::fs::write(&path, "rates = \"very-secret-token\"\n").unwrap();
    let database = Database::sqlite();
    for (bits, accepted) in [(0o644, false), (0o640, false), (0o604, false), (0o600, true), (0o400, true)] {
        set_permissions(&path, Permissions::from_mode(bits)).unwrap();
        let (ran, _, error) = gateway::run(&database, &["migrate", "--config", path.to_str().unwrap()]);
        assert_eq!(ran, accepted, "{bits:o}: {error}");
        assert!(ran || (error.contains("chmod 600") && !error.contains("very-secret")), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replaced_secret_is_deleted_after_its_time() {
    for database in Database::both().await {
        gateway::token(&database, "shop-42");
        let previous = "SELECT count(*) FROM webhook_secrets WHERE previous IS NOT NULL";
        assert!(gateway::run(&database, &["secret", "--merchant", "shop-42", "--rotate"]).0);
        assert_eq!(database.count(previous).await, 1);
        database.execute("UPDATE webhook_secrets SET previous_until = 1").await;
        let _gateway = Gateway::start(&database, &[]).await;
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        assert_eq!(database.count(previous).await, 0, "by a gateway that runs");
        assert!(gateway::run(&database, &["secret", "--merchant", "shop-42", "--rotate", "--keep", "0"]).0);
        assert_eq!(database.count(previous).await, 0, "at once");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_cards_with_the_same_mask_are_two_requests() {
    let path = format!("{}/../bodies/h2h-card.json", env!("CARGO_MANIFEST_DIR"));
    let body = std::fs::read_to_string(path).unwrap();
    let other = body.replace("4111111111111111", "4111110000091111");
    assert_ne!(body, other);
    for database in Database::both().await {
        assert!(gateway::run(&database, &["migrate"]).0);
        let token = gateway::token(&database, "shop-42");
        let (one, two) = (Gateway::start(&database, &[]).await, Gateway::start(&database, &[]).await);
        let (first, second, third) = tokio::join!(
            one.create(&token, Some("order-1"), &body),
            two.create(&token, Some("order-1"), &body),
            one.create(&token, Some("order-1"), &other),
        );
        let all = [&first, &second, &third];
        let created: std::collections::BTreeSet<_> =
            [&first, &second].iter().filter(|answer| answer.status == 201).map(|answer| answer.uid()).collect();
        assert!(all.iter().any(|answer| answer.status == 409), "{all:?}");
        assert!(
            third.status == 409 || created.is_empty(),
            "the same request has the same fingerprint at both: {all:?}"
        );
        assert!(created.len() <= 1);
        assert_eq!(database.texts("SELECT value FROM keys WHERE name = 'fingerprint_key'").await[0].len(), 64);
    }
}
