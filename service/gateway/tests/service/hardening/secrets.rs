//! Secrets at rest: who may read them.

use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::database::Database;
use crate::gateway::{self, BODY, Gateway, PROGRAM};

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
    for (bits, accepted) in [
        (0o644, false),
        (0o640, false),
        (0o604, false),
        (0o600, true),
        (0o400, true),
    ] {
        set_permissions(&path, Permissions::from_mode(bits)).unwrap();
        let (ran, _, error) =
            gateway::run(&database, &["migrate", "--config", path.to_str().unwrap()]);
        assert_eq!(ran, accepted, "{bits:o}: {error}");
        assert!(
            ran || (error.contains("chmod 600") && !error.contains("very-secret")),
            "{error}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replaced_secret_is_deleted_after_its_time() {
    for database in Database::both().await {
        gateway::token(&database, "shop-42");
        let previous = "SELECT count(*) FROM webhook_secrets WHERE previous IS NOT NULL";
        assert!(gateway::run(&database, &["secret", "--merchant", "shop-42", "--rotate"]).0);
        assert_eq!(database.count(previous).await, 1);
        database
            .execute("UPDATE webhook_secrets SET previous_until = 1")
            .await;
        let _gateway = Gateway::start(&database, &[]).await;
        // By a gateway that runs.
        database.wait(previous, 0).await;
        assert!(
            gateway::run(
                &database,
                &["secret", "--merchant", "shop-42", "--rotate", "--keep", "0"]
            )
            .0
        );
        assert_eq!(database.count(previous).await, 0, "at once");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_cards_with_the_same_mask_are_two_requests() {
    let path = format!(
        "{}/../../examples/bodies/h2h-card.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let body = std::fs::read_to_string(path).unwrap();
    let other = body.replace("4111111111111111", "4111110000091111");
    assert_ne!(body, other);
    for database in Database::both().await {
        assert!(gateway::run(&database, &["migrate"]).0);
        let token = gateway::token(&database, "shop-42");
        let (one, two) = (
            Gateway::start(&database, &[]).await,
            Gateway::start(&database, &[]).await,
        );
        let (first, second, third) = tokio::join!(
            one.create(&token, Some("order-1"), &body),
            two.create(&token, Some("order-1"), &body),
            one.create(&token, Some("order-1"), &other),
        );
        let all = [&first, &second, &third];
        let created: std::collections::BTreeSet<_> = [&first, &second]
            .iter()
            .filter(|answer| answer.status == 201)
            .map(|answer| answer.uid())
            .collect();
        assert!(all.iter().any(|answer| answer.status == 409), "{all:?}");
        assert!(
            third.status == 409 || created.is_empty(),
            "the same request has the same fingerprint at both: {all:?}"
        );
        assert!(created.len() <= 1);
    }
}

fn secret(command: &mut Command, database: &Database) -> (bool, String, String) {
    gateway::run_with(command, database, &["secret", "--merchant", "shop-42"])
}

fn new_key(id: &str) -> String {
    let output = Command::new(PROGRAM)
        .args(["key", "new", "--id", id])
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn with_keys(keys: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    command.env("GATEWAY_SECRET_KEYS", keys);
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn webhook_secrets_are_encrypted_and_their_key_can_be_replaced() {
    let stored = "SELECT secret FROM webhook_secrets UNION ALL SELECT previous FROM webhook_secrets WHERE previous IS NOT NULL";
    for database in Database::both().await {
        let (a, b) = (new_key("a"), new_key("b"));
        let new = ["token", "new", "--merchant", "shop-42"];
        assert!(gateway::run_with(&mut with_keys(&a), &database, &new).0);
        let (_, first, _) = secret(&mut with_keys(&a), &database);
        assert!(first.starts_with("whsec_"));
        let rotate = ["secret", "--merchant", "shop-42", "--rotate"];
        let (_, second, _) = gateway::run_with(&mut with_keys(&a), &database, &rotate);
        let under = async |id: &str| {
            let rows = database.texts(stored).await;
            assert!(
                rows.len() == 2
                    && rows
                        .iter()
                        .all(|row| row.starts_with(&format!("aes256gcm:{id}:"))),
                "{rows:?}"
            );
            assert!(rows.iter().all(|row| !row.contains("whsec_")));
        };
        under("a").await;
        // The new key is added at the end, then it comes first, then the old one goes.
        for (keys, id) in [
            (format!("{a},{b}"), "a"),
            (format!("{b},{a}"), "b"),
            (b.clone(), "b"),
        ] {
            assert_eq!(secret(&mut with_keys(&keys), &database).1, second);
            under(id).await;
        }
        let (read, out, error) = secret(&mut with_keys(&a), &database);
        assert!(
            !read && out.is_empty() && error.contains("the key b"),
            "{error}"
        );
        assert!(
            !error.contains(&a[2..]) && !error.contains("aes256gcm"),
            "{error}"
        );
        let other = new_key("b");
        let (read, _, error) = secret(&mut with_keys(&other), &database);
        // A secret that is encrypted under the first key is unchanged, so the error appears when it
        // is used.
        assert!(!read && error.contains("cannot be decrypted"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_fingerprint_key_is_encrypted_and_stays_the_same() {
    let stored = "SELECT value FROM keys WHERE name = 'fingerprint_key'";
    let path = format!(
        "{}/../../examples/bodies/h2h-card.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let body = std::fs::read_to_string(path).unwrap();
    let replays = async |database: &Database, keys: &str, token: &str| {
        let gateway =
            Gateway::start_with(with_keys(keys).into(), &database.url, &[], Stdio::null()).await;
        let answer = gateway.create(token, Some("order-1"), &body).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        answer.replayed
    };
    for database in Database::both().await {
        let (a, b) = (new_key("a"), new_key("b"));
        let (_, token, _) = gateway::run_with(
            &mut with_keys(&a),
            &database,
            &["token", "new", "--merchant", "shop-42", "--quiet"],
        );
        for (number, (keys, id)) in [
            (a.clone(), "a"),
            (format!("{b},{a}"), "b"),
            (b.clone(), "b"),
        ]
        .iter()
        .enumerate()
        {
            // The window is still open, however long the start of the next gateway takes.
            database
                .execute("UPDATE idempotency SET created_at = created_at + 60000000")
                .await;
            // The same request has the same fingerprint under the next key.
            assert_eq!(replays(&database, keys, token.trim()).await, number > 0);
            let rows = database.texts(stored).await;
            assert!(
                rows.len() == 1 && rows[0].starts_with(&format!("aes256gcm:{id}:")),
                "{rows:?}"
            );
        }
        let (ran, _, error) = gateway::run_with(&mut with_keys(&a), &database, &["migrate"]);
        assert!(!ran && error.contains("the key b"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_key_is_not_in_a_copy_of_the_database() {
    let database = Database::postgres().await;
    let (ran, _, error) = gateway::run_with(&mut Command::new(PROGRAM), &database, &["migrate"]);
    assert!(!ran && error.contains("secret_keys"), "{error}");

    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("outer/inner");
    let file = inner.join("gateway.db");
    let mut database = Database::sqlite();
    database.url = format!("sqlite:{}", file.display());
    let new = ["token", "new", "--merchant", "shop-42"];
    let (made, _, error) = gateway::run_with(&mut Command::new(PROGRAM), &database, &new);
    assert!(made, "{error}");
    for folder in [inner.as_path(), inner.parent().unwrap()] {
        assert_eq!(mode(folder.to_str().unwrap()), 0o700, "a new folder");
    }
    assert_eq!(mode(&format!("{}.keys", file.display())), 0o600);
    let (_, shown, _) = secret(&mut Command::new(PROGRAM), &database);
    assert!(shown.starts_with("whsec_"));
    for entry in std::fs::read_dir(&inner).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        assert!(!bytes.windows(6).any(|window| window == b"whsec_"));
    }
    let copy = folder.path().join("copy.db");
    std::fs::copy(&file, &copy).unwrap();
    // The latest transactions may still be in the write-ahead log.
    let wal = format!("{}-wal", file.display());
    if Path::new(&wal).exists() {
        std::fs::copy(wal, format!("{}-wal", copy.display())).unwrap();
    }
    database.url = format!("sqlite:{}", copy.display());
    let (read, out, error) = secret(&mut Command::new(PROGRAM), &database);
    assert!(
        !read && out.is_empty() && error.contains("not among the configured ones"),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_policy_with_a_fingerprint_key_that_others_can_read_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("policy.json");
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let uid = {
        let gateway = Gateway::start(&database, &[]).await;
        gateway.create(&token, None, BODY).await.uid()
    };
    let key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    let with_key = format!(r#"{{"fingerprint_key":"{key}"}}"#);
    for (policy, bits, accepted) in [
        (with_key.as_str(), 0o644, false),
        (&with_key, 0o622, false),
        (&with_key, 0o600, true),
        ("{}", 0o644, true),
        ("{}", 0o646, false),
    ] {
        std::fs::write(&path, policy).unwrap();
        set_permissions(&path, Permissions::from_mode(bits)).unwrap();
        let arguments = ["advance", &uid, "idle", "--policy", path.to_str().unwrap()];
        let (_, _, error) = gateway::run(&database, &arguments);
        // With the policy, the library rejects the change.
        assert_eq!(!error.contains("chmod"), accepted, "{bits:o}: {error}");
        assert!(!error.contains(key), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rates_and_a_page_that_others_can_change_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (rates, page) = (folder.path().join("rates.json"), folder.path().join("page"));
    let script = page.join("assets/page.js");
    std::fs::create_dir_all(script.parent().unwrap()).unwrap();
    std::fs::write(&rates, r#"{"per_usdt":{"RUB":"79.5"}}"#).unwrap();
    std::fs::write(page.join("index.html"), "<title>page</title>").unwrap();
    std::fs::write(&script, "").unwrap();
    let database = Database::sqlite();
    for (name, path, changed) in [
        ("--rates", &rates, &rates),
        ("--page", &page, &page),
        ("--page", &page, &script),
    ] {
        let before = mode(changed.to_str().unwrap());
        set_permissions(changed, Permissions::from_mode(before | 0o002)).unwrap();
        let arguments = [
            "serve",
            "--listen",
            "127.0.0.1:0",
            name,
            path.to_str().unwrap(),
        ];
        let (ran, _, error) = gateway::run(&database, &arguments);
        assert!(
            !ran && error.contains("others can change"),
            "{name}: {error}"
        );
        set_permissions(changed, Permissions::from_mode(before)).unwrap();
    }
}
