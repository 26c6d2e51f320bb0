//! Three machines on a bridge, and HAProxy.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::machine::{Machine, Program};
use crate::namespace::run;

/// The configuration files that the book shows.
const FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/failover");
/// After this time, a standby that does not follow the primary is created anew, as an operator
/// would do it.
const RECREATE_AFTER: Duration = Duration::from_secs(60);
/// The password of all users of the database.
pub(crate) const PASSWORD: &str = "payments";
/// How long it may take until all three servers run and two of them confirm commits, on a slow
/// machine.
pub(crate) const READY_TIMEOUT: Duration = Duration::from_secs(300);
/// How long Patroni may take to answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Replication {
    /// As in the configuration files.
    Synchronous,
    /// The primary confirms commits alone.
    Asynchronous,
}

pub(crate) struct Cluster {
    pub(crate) machines: Vec<Machine>,
    client: reqwest::Client,
    replication: Replication,
    proxy: Child,
    /// Standbys that were created anew.
    pub(crate) recreated: u32,
    pub(crate) folder: TempDir,
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = self.proxy.kill();
        for machine in &mut self.machines {
            machine.signal("KILL", &[]);
        }
        if std::thread::panicking()
            && let Ok(kept) = std::env::var("FAILOVER_KEEP")
        {
            let _ = Command::new("cp")
                .args(["-r", &self.folder.path().display().to_string(), &kept])
                .status();
        }
    }
}

impl Cluster {
    /// Starts all, and waits until the cluster is complete.
    pub(crate) async fn start(replication: Replication) -> Self {
        run("ip", &["link", "add", "bridge", "type", "bridge"]);
        run("ip", &["address", "add", "192.0.2.1/24", "dev", "bridge"]);
        run("ip", &["link", "set", "bridge", "up"]);
        let folder = tempfile::tempdir().unwrap();
        run("chmod", &["755", folder.path().to_str().unwrap()]);
        let render = |file: &str| render(file, replication);
        let mut machines: Vec<Machine> = (1..=3)
            .map(|number| Machine::create(folder.path(), number, render))
            .collect();
        for program in [Program::Etcd, Program::Patroni] {
            machines
                .iter_mut()
                .for_each(|machine| machine.start(program));
        }
        let log = fs::File::create(folder.path().join("haproxy.log")).unwrap();
        let mut proxy = Command::new("haproxy");
        proxy
            .args(["-db", "-f"])
            .arg(Path::new(FILES).join("haproxy.cfg"));
        let proxy = proxy
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        let client = reqwest::Client::builder()
            .timeout(ANSWER_TIMEOUT)
            .no_proxy()
            .build()
            .unwrap();
        let mut cluster = Self {
            machines,
            client,
            replication,
            proxy,
            recreated: 0,
            folder,
        };
        cluster.wait_until_complete().await;
        cluster
    }

    /// The address of the database with a user.
    pub(crate) fn database(user: &str, name: &str) -> String {
        format!("postgres://{user}:{PASSWORD}@127.0.0.1:5000/{name}")
    }

    /// Waits until there is a primary that all others follow, and one of them confirms its commits.
    pub(crate) async fn wait_until_complete(&mut self) {
        let (start, mut next) = (Instant::now(), RECREATE_AFTER);
        while let Err(state) = self.is_complete().await {
            assert!(
                start.elapsed() < READY_TIMEOUT,
                "the cluster is not complete: {state}\n{}",
                self.logs()
            );
            if start.elapsed() > next {
                next += RECREATE_AFTER;
                self.recreate().await;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// Creates the standbys anew that the primary does not list.
    async fn recreate(&mut self) {
        let Some((primary, status)) = self.primary_status().await else {
            return;
        };
        for (index, machine) in self.machines.iter().enumerate() {
            if index != primary
                && !replicas(&status).any(|one| one["application_name"] == machine.name.as_str())
            {
                let url = format!("http://{}:8008/reinitialize", machine.address);
                let answer = self.client.post(url).send().await;
                // Patroni refuses it while it is under way.
                if answer.is_ok_and(|answer| answer.status().is_success()) {
                    println!("{} is created anew", machine.name);
                    self.recreated += 1;
                }
            }
        }
    }

    async fn is_complete(&self) -> Result<(), String> {
        let (mut primaries, mut running, mut confirming) = (0, 0, 0);
        for machine in &self.machines {
            let status = self
                .status(machine)
                .await
                .ok_or_else(|| format!("{} does not answer", machine.name))?;
            primaries += usize::from(is_primary(&status));
            running += usize::from(status["state"] == "running");
            if is_primary(&status)
                && replicas(&status)
                    .filter(|one| one["state"] == "streaming")
                    .count()
                    < 2
            {
                return Err(format!("not all follow: {status}"));
            }
            confirming += replicas(&status)
                .filter(|one| one["sync_state"] == "sync")
                .count();
        }
        let confirming_is_right = self.replication == Replication::Asynchronous || confirming == 1;
        if primaries == 1 && running == 3 && confirming_is_right {
            Ok(())
        } else {
            Err(format!(
                "{primaries} primaries, {running} running, {confirming} confirming"
            ))
        }
    }

    async fn status(&self, machine: &Machine) -> Option<Value> {
        let answer = self
            .client
            .get(format!("http://{}:8008/patroni", machine.address))
            .send()
            .await
            .ok()?;
        answer.json().await.ok()
    }

    async fn primary_status(&self) -> Option<(usize, Value)> {
        for (index, machine) in self.machines.iter().enumerate() {
            if let Some(status) = self.status(machine).await.filter(is_primary) {
                return Some((index, status));
            }
        }
        None
    }

    /// The indexes of the primary and of a standby, of the one that confirms commits if there is
    /// one.
    pub(crate) async fn pair(&self) -> [usize; 2] {
        let start = Instant::now();
        loop {
            if let Some((primary, status)) = self.primary_status().await {
                let is_sync = |machine: &Machine| {
                    replicas(&status).any(|one| {
                        one["application_name"] == machine.name && one["sync_state"] == "sync"
                    })
                };
                let standby = self.machines.iter().position(is_sync);
                return [
                    primary,
                    standby.unwrap_or((primary + 1) % self.machines.len()),
                ];
            }
            assert!(
                start.elapsed() < READY_TIMEOUT,
                "there is no primary\n{}",
                self.logs()
            );
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// The last lines of each log.
    fn logs(&self) -> String {
        let mut text = String::new();
        for machine in &self.machines {
            for program in [Program::Patroni, Program::Etcd] {
                let log = fs::read_to_string(machine.log(program)).unwrap_or_default();
                let lines: Vec<&str> = log.lines().collect();
                let last = lines[lines.len().saturating_sub(15)..].join("\n");
                text += &format!("--- {} {program:?}\n{last}\n", machine.name);
            }
        }
        text
    }
}

fn is_primary(status: &Value) -> bool {
    status["role"] == "master" || status["role"] == "primary"
}

/// The standbys that the primary lists.
fn replicas(status: &Value) -> impl Iterator<Item = &Value> {
    status["replication"].as_array().into_iter().flatten()
}

/// A configuration file with the paths of a test, whose folder is `FOLDER`.
fn render(file: &str, replication: Replication) -> String {
    let text = fs::read_to_string(Path::new(FILES).join(file)).unwrap();
    let found = Command::new("pg_config")
        .arg("--bindir")
        .output()
        .expect("pg_config: is PostgreSQL installed?");
    let programs = String::from_utf8(found.stdout).unwrap();
    let of_patroni = [
        ("/var/lib/postgresql/15/payments", "FOLDER/data"),
        ("/var/lib/postgresql/pgpass", "FOLDER/pgpass"),
        ("/usr/lib/postgresql/15/bin", programs.trim()),
        ("/var/run/postgresql", "FOLDER"),
    ];
    let asynchronous = [
        ("synchronous_mode: true", "synchronous_mode: false"),
        (
            "synchronous_mode_strict: true",
            "synchronous_mode_strict: false",
        ),
    ];
    let replaced: &[&[(&str, &str)]] = match (file, replication) {
        ("etcd.yml", _) => &[&[("/var/lib/etcd/payments", "FOLDER/etcd")]],
        (_, Replication::Synchronous) => &[&of_patroni],
        (_, Replication::Asynchronous) => &[&of_patroni, &asynchronous],
    };
    replaced
        .iter()
        .copied()
        .flatten()
        .fold(text, |text, (before, after)| {
            assert!(text.contains(before), "{file} has no {before}");
            text.replace(before, after)
        })
}
