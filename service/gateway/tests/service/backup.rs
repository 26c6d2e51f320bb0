//! The commands of the page `docs/src/guides/backup.md` on PostgreSQL. Those on SQLite run in
//! `cargo xtask test book`.

use std::process::Command;

use crate::database::Database;
use crate::gateway::{self, BODY, Gateway};

#[tokio::test(flavor = "multi_thread")]
async fn a_dump_of_postgresql_is_restored() {
    let database = Database::postgres().await;
    let token = gateway::token(&database, "shop-42");
    let gateway = Gateway::start(&database, &[]).await;
    let created = gateway.create(&token, None, BODY).await;
    let page = include_str!("../../../../docs/src/guides/backup.md");
    let commands = page
        .split_once("## PostgreSQL\n\n```sh\n")
        .and_then(|(_, rest)| rest.split_once("```"))
        .unwrap()
        .0;
    let (server, name) = database.url.rsplit_once('/').unwrap();
    let restored = format!("{name}_restored");
    let commands = commands
        .replace("custom payments ", &format!("custom {name} "))
        .replace("restored", &restored);
    assert!(
        commands.contains(&format!("pg_dump --format=custom {name} >")),
        "{commands}"
    );
    let folder = tempfile::tempdir().unwrap();
    let bindir = Command::new("pg_config")
        .arg("--bindir")
        .output()
        .unwrap()
        .stdout;
    let path = format!(
        "{}:{}",
        String::from_utf8(bindir).unwrap().trim(),
        std::env::var("PATH").unwrap()
    );
    let port = server.rsplit_once(':').unwrap().1;
    let variables = [
        ("PATH", path.as_str()),
        ("PGHOST", "127.0.0.1"),
        ("PGPORT", port),
        ("PGUSER", "gateway"),
    ];
    let ran = Command::new("sh")
        .args(["-e", "-c", &commands])
        .current_dir(folder.path())
        .envs(variables)
        .output();
    let ran = ran.unwrap();
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let copy = Gateway::start(&Database::at(&format!("{server}/{restored}")), &[]).await;
    assert_eq!(copy.status(&token, &created.uid()).await.text, created.text);
}
