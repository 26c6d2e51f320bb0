//! No value of a setting is repeated in an error: it may be a password in the wrong place.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::database::Database;
use crate::gateway::{self, PROGRAM};

const HUSH: &str = "very-hush";

#[tokio::test(flavor = "multi_thread")]
async fn values_are_not_repeated() {
    let database = Database::sqlite();
    let refused = |command: &mut Command, arguments: &[&str], what: &str| {
        let (ran, out, error) = gateway::run_with(command, &database, arguments);
        assert!(!ran && !error.is_empty(), "{what}: it goes on");
        assert!(
            !error.contains(HUSH) && !out.contains(HUSH),
            "{what}: {error}"
        );
        error
    };
    for (name, value) in [
        ("listen", HUSH),
        ("admin-listen", HUSH),
        ("trusted-proxy", HUSH),
        ("log-peers", HUSH),
        ("connections", HUSH),
        ("timeout", HUSH),
        ("callback-allow", HUSH),
        ("callback-https-only", HUSH),
        ("database", HUSH),
        ("database", "postgres://user:very-hush@[/x"),
        ("database", "postgres://user@localhost/x?sslmode=very-hush"),
        ("database", "sqlite:x?mode=very-hush"),
        ("secret-keys", HUSH),
        ("secret-keys-file", HUSH),
        ("policy", HUSH),
        ("config", HUSH),
        ("rates", HUSH),
        ("rates", "http://very-hush"),
        ("balance-currency", HUSH),
        ("log", "x=very-hush="),
        ("log-format", HUSH),
    ] {
        let arguments = [
            "serve",
            "--admin-listen=127.0.0.1:0",
            "--listen=127.0.0.1:0",
        ];
        let flag = format!("--{name}={value}");
        let arguments: Vec<_> = arguments
            .into_iter()
            .filter(|argument| !argument.starts_with(&format!("--{name}=")))
            .collect();
        let error = refused(
            &mut Command::new(PROGRAM),
            &[&arguments[..], &[&flag]].concat(),
            &flag,
        );
        let is_named = error.contains(name) || error.contains(&name.replace('-', "_"));
        assert!(
            is_named || name == "database" || name == "rates",
            "{flag}: {error}"
        );
    }
    let variable = refused(
        Command::new(PROGRAM).env("GATEWAY_LISTEN", HUSH),
        &["serve"],
        "the environment",
    );
    assert!(variable.contains("--listen"), "{variable}");
    for arguments in [
        &["serve", HUSH] as &[_],
        &["--very-hush"],
        &[HUSH],
        &["serve", "--lsiten=very-hush"],
        &["advance", HUSH, "x"],
    ] {
        refused(
            &mut Command::new(PROGRAM),
            arguments,
            &format!("{arguments:?}"),
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gateway.toml");
    for text in [
        "connections = \"very-hush\"",
        "rates = [\"very-hush\"]",
        "very-hush = 1",
        "\"very-hush",
        "log = very-hush",
    ] {
        std::fs::write(&path, format!("# a comment\n{text}\n")).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
        let arguments = ["serve", "--config", path.to_str().unwrap()];
        let error = refused(&mut Command::new(PROGRAM), &arguments, text);
        assert!(error.contains("config: line 2"), "{error}");
    }
}
