//! A machine with etcd, Patroni, and PostgreSQL: a network namespace.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::namespace::{run, unprivileged};

/// The programs of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Program {
    Etcd,
    Patroni,
    Postgres,
}

impl Program {
    /// As in `/proc/PID/comm`.
    fn name(self) -> &'static str {
        match self {
            Self::Etcd => "etcd",
            Self::Patroni => "patroni",
            Self::Postgres => "postgres",
        }
    }
}

#[derive(Debug)]
pub(crate) struct Machine {
    /// pg1, as in the configuration files.
    pub(crate) name: String,
    pub(crate) address: String,
    folder: PathBuf,
    /// The port of the bridge that leads to it.
    port: String,
    /// Processes that have been started, which are waited for at the end.
    children: Vec<Child>,
}

impl Machine {
    /// Adds a machine to the bridge, with its configuration files.
    pub(crate) fn create(folder: &Path, number: u8, render: impl Fn(&str) -> String) -> Self {
        let (name, address, port) = (
            format!("pg{number}"),
            format!("192.0.2.1{number}"),
            format!("port{number}"),
        );
        run("ip", &["netns", "add", &name]);
        run(
            "ip",
            &[
                "link", "add", &port, "type", "veth", "peer", "name", "eth0", "netns", &name,
            ],
        );
        run("ip", &["link", "set", &port, "master", "bridge", "up"]);
        run(
            "ip",
            &[
                "-n",
                &name,
                "address",
                "add",
                &format!("{address}/24"),
                "dev",
                "eth0",
            ],
        );
        for device in ["lo", "eth0"] {
            run("ip", &["-n", &name, "link", "set", device, "up"]);
        }
        let folder = folder.join(&name);
        fs::create_dir(&folder).unwrap();
        let own = |text: String| {
            // The list of all members of etcd and of its addresses for Patroni is the same
            // everywhere.
            let lines = text.lines().map(|line| {
                let is_common = line.contains("pg2") || line.contains("hosts:");
                let line = if is_common {
                    line.to_owned()
                } else {
                    line.replace("192.0.2.11", &address)
                };
                if line.starts_with("name:") {
                    format!("name: {name}\n")
                } else {
                    line + "\n"
                }
            });
            lines
                .collect::<String>()
                .replace("FOLDER", folder.to_str().unwrap())
        };
        for file in ["etcd.yml", "patroni.yml"] {
            fs::write(folder.join(file), own(render(file))).unwrap();
        }
        run("chown", &["-R", unprivileged().1, folder.to_str().unwrap()]);
        Self {
            name,
            address,
            folder,
            port,
            children: Vec::new(),
        }
    }

    pub(crate) fn start(&mut self, program: Program) {
        let (log, mut command) = (self.log(program), Command::new("ip"));
        let log = File::options().create(true).append(true).open(log).unwrap();
        command
            .args(["netns", "exec", &self.name])
            .args(unprivileged().0)
            .arg(program.name());
        match program {
            Program::Etcd => command
                .arg("--config-file")
                .arg(self.folder.join("etcd.yml")),
            Program::Patroni => command.arg(self.folder.join("patroni.yml")),
            Program::Postgres => panic!("Patroni starts it"),
        };
        command.env("PATRONI_SUPERUSER_PASSWORD", super::cluster::PASSWORD);
        command.env("PATRONI_REPLICATION_PASSWORD", super::cluster::PASSWORD);
        command
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log);
        self.children.push(command.spawn().unwrap());
    }

    pub(crate) fn log(&self, program: Program) -> PathBuf {
        self.folder.join(format!("{}.log", program.name()))
    }

    /// The processes of some programs, or all.
    fn processes(&self, programs: &[Program]) -> Vec<String> {
        let output = Command::new("ip")
            .args(["netns", "pids", &self.name])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let name = |pid: &str| fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        let is_one = |pid: &&str| {
            programs.is_empty() || programs.iter().any(|one| name(pid).trim() == one.name())
        };
        text.lines()
            .map(str::trim)
            .filter(is_one)
            .map(ToOwned::to_owned)
            .collect()
    }

    pub(crate) fn runs(&self, program: Program) -> bool {
        !self.processes(&[program]).is_empty()
    }

    /// Sends a signal to all processes of some programs; without programs, to all of the machine.
    pub(crate) fn signal(&mut self, name: &str, programs: &[Program]) {
        // A process may start another one meanwhile.
        for _ in 0..3 {
            let processes = self.processes(programs);
            if processes.is_empty() {
                break;
            }
            // One may have ended.
            let _ = Command::new("kill")
                .arg(format!("-{name}"))
                .args(processes)
                .stderr(Stdio::null())
                .status();
            if name != "KILL" {
                break;
            }
        }
        self.children
            .retain_mut(|child| !matches!(child.try_wait(), Ok(Some(_))));
    }

    /// Connects the machine to the network or disconnects it.
    pub(crate) fn connect(&self, is_connected: bool) {
        run(
            "ip",
            &[
                "link",
                "set",
                &self.port,
                if is_connected { "up" } else { "down" },
            ],
        );
    }

    /// Drops what goes to another machine, or no longer.
    pub(crate) fn drop_to(&self, other: &Machine, drops: bool) {
        run(
            "ip",
            &[
                "-n",
                &self.name,
                "route",
                verb(drops),
                "blackhole",
                &other.address,
            ],
        );
    }

    /// Drops what goes from gateways and HAProxy to this machine, or no longer.
    pub(crate) fn drop_from_gateways(&self, drops: bool) {
        run("ip", &["route", verb(drops), "blackhole", &self.address]);
    }
}

/// The one of `ip route`.
fn verb(adds: bool) -> &'static str {
    if adds { "add" } else { "del" }
}
