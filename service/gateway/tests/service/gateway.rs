//! A gateway that runs, and what a client does with it.

use std::process::{Command as Blocking, Stdio};
use std::sync::{Arc, Mutex, Once};
use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

use crate::database::Database;

pub(crate) const PROGRAM: &str = match option_env!("CARGO_BIN_EXE_gateway") {
    Some(program) => program,
    // The trials are another package: their build script sets this variable.
    None => match option_env!("GATEWAY_PROGRAM") {
        Some(program) => program,
        None => panic!("no program"),
    },
};
/// The keys of webhook secrets, so that PostgreSQL has some.
pub(crate) const KEYS: (&str, &str) = (
    "GATEWAY_SECRET_KEYS",
    "test:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
);
/// A payment as simple as can be.
pub(crate) const BODY: &str =
    r#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}"#;

/// A process, killed with its owner.
pub(crate) struct Gateway {
    pub(crate) base: String,
    /// The address for operators, probes, and scrapers.
    pub(crate) admin: String,
    pub(crate) client: Client,
    pub(crate) child: Child,
    log: Arc<Mutex<String>>,
}

/// An answer, read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) kind: String,
    pub(crate) replayed: bool,
    pub(crate) challenge: Option<String>,
    /// `Retry-After`
    pub(crate) pause: Option<String>,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    pub(crate) fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn uid(&self) -> String {
        self.json()["uid"]
            .as_str()
            .unwrap_or_else(|| panic!("no payment: {}", self.text))
            .to_owned()
    }

    pub(crate) async fn of(response: Response) -> Self {
        Self::read(response).await.unwrap()
    }

    /// Reads an answer of which a part may be missing.
    pub(crate) async fn read(response: Response) -> reqwest::Result<Self> {
        let header = |name| {
            response
                .headers()
                .get(name)
                .map(|value| value.to_str().unwrap().to_owned())
        };
        Ok(Self {
            status: response.status().as_u16(),
            kind: header("content-type").unwrap_or_default(),
            replayed: header("idempotent-replayed").is_some_and(|value| value == "true"),
            challenge: header("www-authenticate"),
            pause: header("retry-after"),
            text: response.text().await?,
        })
    }
}

/// Runs a command of the program to its end.
pub(crate) fn run(database: &Database, arguments: &[&str]) -> (bool, String, String) {
    run_with(
        Blocking::new(PROGRAM).env(KEYS.0, KEYS.1),
        database,
        arguments,
    )
}

/// The same with an environment.
pub(crate) fn run_with(
    command: &mut Blocking,
    database: &Database,
    arguments: &[&str],
) -> (bool, String, String) {
    let output = command
        .args(arguments)
        .env("GATEWAY_DATABASE", &database.url)
        .output()
        .expect("the program");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.success(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// A token for a merchant.
pub(crate) fn token(database: &Database, merchant: &str) -> String {
    let (success, out, error) = run(
        database,
        &["token", "new", "--merchant", merchant, "--quiet"],
    );
    assert!(success, "{error}");
    out.trim().to_owned()
}

/// A token for an operator.
pub(crate) fn operator(database: &Database, name: &str) -> String {
    let (success, out, error) = run(database, &["operator", "new", "--name", name, "--quiet"]);
    assert!(success, "{error}");
    out.trim().to_owned()
}

/// Waits until the gateway wants the body of a request that expects it.
pub(crate) async fn continued(stream: &mut TcpStream) {
    const CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";
    let mut line = [0; CONTINUE.len()];
    stream.read_exact(&mut line).await.unwrap();
    assert_eq!(line, CONTINUE, "{}", String::from_utf8_lossy(&line));
}

pub(crate) fn client() -> Client {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        rustls::crypto::ring::default_provider()
            .install_default()
            .unwrap()
    });
    Client::builder()
        .timeout(Duration::from_secs(60))
        .no_proxy()
        .build()
        .unwrap()
}

impl Gateway {
    /// Starts one and waits until it listens.
    pub(crate) async fn start(database: &Database, arguments: &[&str]) -> Self {
        let mut child = Command::new(PROGRAM)
            .args([
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--admin-listen",
                "127.0.0.1:0",
            ])
            .args(["--log-format", "json", "--database", &database.url])
            .args(arguments)
            .env(KEYS.0, KEYS.1)
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let log = Arc::new(Mutex::new(String::new()));
        let (address, admin) = loop {
            let line = lines.next_line().await.unwrap();
            let line =
                line.unwrap_or_else(|| panic!("the gateway has ended: {}", log.lock().unwrap()));
            log.lock().unwrap().push_str(&line);
            log.lock().unwrap().push('\n');
            let entry: Value = serde_json::from_str(&line).unwrap_or_default();
            if entry["message"] == "listening" {
                break (
                    entry["address"].as_str().unwrap().to_owned(),
                    entry["admin"].as_str().unwrap().to_owned(),
                );
            }
        };
        let kept = Arc::clone(&log);
        tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                let mut kept = kept.lock().unwrap();
                kept.push_str(&line);
                kept.push('\n');
            }
        });
        Self {
            base: format!("http://{address}"),
            admin: format!("http://{admin}"),
            client: client(),
            child,
            log,
        }
    }

    /// Starts one whose log goes to `stderr`, and waits until it answers.
    pub(crate) async fn start_with_log(
        database: &Database,
        arguments: &[&str],
        stderr: Stdio,
    ) -> Self {
        Self::start_with(Command::new(PROGRAM), &database.url, arguments, stderr).await
    }

    /// Starts one below another program, which gets the gateway's arguments.
    pub(crate) async fn start_with(
        mut command: Command,
        database: &str,
        arguments: &[&str],
        stderr: Stdio,
    ) -> Self {
        if !command.as_std().get_envs().any(|(name, _)| name == KEYS.0) {
            command.env(KEYS.0, KEYS.1);
        }
        command
            .args(["serve", "--log-format", "json", "--database", database])
            .args(arguments);
        command.stderr(stderr).kill_on_drop(true);
        let start = std::time::Instant::now();
        let within = Duration::from_secs(60);
        loop {
            // Both at once, so that they differ.
            let free = || std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            let ports = [free(), free()];
            let [address, admin] = ports.map(|port| port.local_addr().unwrap().to_string());
            let child = command
                .env("GATEWAY_LISTEN", &address)
                .env("GATEWAY_ADMIN_LISTEN", &admin)
                .spawn()
                .unwrap();
            let (base, admin) = (format!("http://{address}"), format!("http://{admin}"));
            let mut gateway = Self {
                base,
                admin,
                client: client(),
                child,
                log: Arc::default(),
            };
            // If another process has taken a port in between, the gateway ends, and the other one
            // may answer.
            while gateway.child.try_wait().unwrap().is_none() {
                assert!(start.elapsed() < within, "the gateway does not answer");
                let both = ["/healthz", "/readyz"]
                    .map(|path| gateway.request(Method::GET, path, None).send());
                let [public, admin] = both;
                if public.await.is_ok()
                    && admin.await.is_ok()
                    && gateway.child.try_wait().unwrap().is_none()
                {
                    return gateway;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            assert!(start.elapsed() < within, "the gateway ends");
        }
    }

    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Waits until the log contains a text; returns the log.
    pub(crate) async fn log_with(&self, text: &str) -> String {
        let start = std::time::Instant::now();
        loop {
            let log = self.log();
            if log.contains(text) {
                return log;
            }
            assert!(
                start.elapsed() < Duration::from_secs(30),
                "no {text}: {log}"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(crate) fn request(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
    ) -> RequestBuilder {
        let json = method == Method::POST;
        let is_admin = ["/operator", "/readyz", "/metrics"]
            .iter()
            .any(|start| path.starts_with(start));
        let base = if is_admin { &self.admin } else { &self.base };
        let mut request = self.client.request(method, format!("{base}{path}"));
        if json {
            request = request.header("content-type", "application/json");
        }
        match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    pub(crate) async fn get(&self, path: &str, token: Option<&str>) -> Answer {
        Answer::of(self.request(Method::GET, path, token).send().await.unwrap()).await
    }

    pub(crate) async fn create(&self, token: &str, key: Option<&str>, body: &str) -> Answer {
        self.try_create(token, key, body).await.unwrap()
    }

    /// The same for a gateway that may be gone.
    pub(crate) async fn try_create(
        &self,
        token: &str,
        key: Option<&str>,
        body: &str,
    ) -> reqwest::Result<Answer> {
        let mut request = self
            .request(Method::POST, "/v1/payments/new", Some(token))
            .body(body.to_owned());
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        Ok(Answer::of(request.send().await?).await)
    }

    pub(crate) async fn status(&self, token: &str, uid: &str) -> Answer {
        self.get(&format!("/v1/payments/{uid}/status"), Some(token))
            .await
    }

    /// Stops it like a supervisor.
    pub(crate) fn terminate(&self) {
        let id = self.child.id().unwrap().to_string();
        assert!(
            Blocking::new("kill")
                .args(["-TERM", &id])
                .status()
                .unwrap()
                .success()
        );
    }
}
