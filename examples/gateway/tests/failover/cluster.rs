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
/// After this time, a standby that does not follow the primary is created anew, as an operator would do it: Patroni 3.0.2 leaves a
/// server alone that was promoted for a moment, and is now ahead of the primary's timeline.
const STUCK: Duration = Duration::from_secs(20);
/// Of all users of the database.
pub(crate) const PASSWORD: &str = "payments";
/// How long it may take until all three servers run and two of them confirm commits.
const WHOLE: Duration = Duration::from_secs(90);

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
            let _ = Command::new("cp").args(["-r", &self.folder.path().display().to_string(), &kept]).status();
        }
    }
}

impl Cluster {
    /// Starts all, and waits until the cluster is whole.
    pub(crate) async fn start(replication: Replication) -> Self {
        run("ip", &["link", "add", "bridge", "type", "bridge"]);
        run("ip", &["address", "add", "192.0.2.1/24", "dev", "bridge"]);
        run("ip", &["link", "set", "bridge", "up"]);
        let folder = tempfile::tempdir().unwrap();
        run("chmod", &["755", folder.path().to_str().unwrap()]);
        let render = |file: &str| render(file, replication);
        let mut machines: Vec<Machine> = (1..=3).map(|number| Machine::create(folder.path(), number, render)).collect();
        for program in [Program::Etcd, Program::Patroni] {
            machines.iter_mut().for_each(|machine| machine.start(program));
        }
        let log = fs::File::create(folder.path().join("haproxy.log")).unwrap();
        let mut proxy = Command::new("haproxy");
        proxy.args(["-db", "-f"]).arg(Path::new(FILES).join("haproxy.cfg"));
        let proxy = proxy.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap();
        let client = reqwest::Client::builder().timeout(Duration::from_secs(1)).no_proxy().build().unwrap();
        let mut cluster = Self { machines, client, replication, proxy, recreated: 0, folder };
        cluster.becomes_whole().await;
        cluster
    }

    /// The address of the database with a user.
    pub(crate) fn database(user: &str, name: &str) -> String {
        format!("postgres://{user}:{PASSWORD}@127.0.0.1:5000/{name}")
    }

    /// Waits until there is a primary that all others follow, and one of them confirms its commits.
    pub(crate) async fn becomes_whole(&mut self) {
        let (start, mut next) = (Instant::now(), STUCK);
        while let Err(state) = self.is_whole().await {
            assert!(start.elapsed() < WHOLE, "the cluster is not whole: {state}\n{}", self.logs());
            if start.elapsed() > next {
                next += STUCK;
                self.recreate().await;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// Creates the standbys anew that the primary does not list.
    async fn recreate(&mut self) {
        let mut following: Vec<String> = Vec::new();
        for machine in &self.machines {
            let status = self.status(machine).await.unwrap_or_default();
            if status["role"] == "master" || status["role"] == "primary" {
                let names = status["replication"].as_array().into_iter().flatten();
                following.extend(names.filter_map(|one| one["application_name"].as_str()).map(ToOwned::to_owned));
                following.push(machine.name.clone());
            }
        }
        for machine in self.machines.iter().filter(|machine| !following.contains(&machine.name)) {
            println!("{} is created anew", machine.name);
            let url = format!("http://{}:8008/reinitialize", machine.address);
            let _ = self.client.post(url).body(r#"{"force":true}"#).send().await;
            self.recreated += 1;
        }
    }

    async fn is_whole(&self) -> Result<(), String> {
        let (mut primaries, mut running, mut confirming) = (0, 0, 0);
        for machine in &self.machines {
            let status = self.status(machine).await.ok_or_else(|| format!("{} does not answer", machine.name))?;
            let is_primary = status["role"] == "master" || status["role"] == "primary";
            primaries += usize::from(is_primary);
            running += usize::from(status["state"] == "running");
            let streams = |list: &Vec<Value>| list.iter().filter(|one| one["state"] == "streaming").count();
            let replicas = status["replication"].as_array();
            if is_primary && replicas.is_none_or(|list| streams(list) < 2) {
                return Err(format!("not all follow: {status}"));
            }
            confirming += replicas.map_or(0, |list| list.iter().filter(|one| one["sync_state"] == "sync").count());
        }
        let confirming_is_right = self.replication == Replication::Asynchronous || confirming == 1;
        if primaries == 1 && running == 3 && confirming_is_right {
            Ok(())
        } else {
            Err(format!("{primaries} primaries, {running} running, {confirming} confirming"))
        }
    }

    async fn status(&self, machine: &Machine) -> Option<Value> {
        let answer = self.client.get(format!("http://{}:8008/patroni", machine.address)).send().await.ok()?;
        answer.json().await.ok()
    }

    /// The index of the primary.
    pub(crate) async fn primary(&self) -> usize {
        for (index, machine) in self.machines.iter().enumerate() {
            let answer = self.client.get(format!("http://{}:8008/primary", machine.address)).send().await;
            if answer.is_ok_and(|answer| answer.status().as_u16() == 200) {
                return index;
            }
        }
        panic!("there is no primary\n{}", self.logs())
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

/// A configuration file with the paths of a test, whose folder is `FOLDER`.
fn render(file: &str, replication: Replication) -> String {
    let text = fs::read_to_string(Path::new(FILES).join(file)).unwrap();
    let found = Command::new("pg_config").arg("--bindir").output().expect("pg_config: is PostgreSQL installed?");
    let programs = String::from_utf8(found.stdout).unwrap();
    let mut text = text
        .replace("/var/lib/etcd/payments", "FOLDER/etcd")
        .replace("/var/lib/postgresql/15/payments", "FOLDER/data")
        .replace("/usr/lib/postgresql/15/bin", programs.trim())
        .replace("/var/run/postgresql", "FOLDER");
    if replication == Replication::Asynchronous {
        for setting in ["synchronous_mode", "synchronous_mode_strict"] {
            let before = format!("{setting}: true");
            assert!(file != "patroni.yml" || text.contains(&before), "{file} has no {before}");
            text = text.replace(&before, &format!("{setting}: false"));
        }
    }
    text
}
