//! A cluster with two gateways under load.

use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::process::Command;

use crate::cluster::{Cluster, PASSWORD, Replication};
use crate::database::Database;
use crate::gateway::{self, Gateway, PROGRAM};
use crate::load::{Load, Target};
use crate::reads::Reads;
use crate::receiver::Receiver;

pub(crate) const MERCHANT: &str = "shop-42";
const CONFIG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/failover/gateway.toml");
const OPTIONS: [&str; 7] =
    ["--callback-allow", "127.0.0.0/8", "--callback-pause", "100", "--callback-timeout", "2", "--simulate-acquirer=50"];
const GATEWAYS: usize = 2;
/// A client repeats a request, although the first one may still be under way.
const PATIENCE: Duration = Duration::from_secs(3);

pub(crate) struct World {
    pub(crate) gateways: Vec<Gateway>,
    pub(crate) receiver: Receiver,
    pub(crate) target: Arc<Target>,
    pub(crate) load: Load,
    pub(crate) reads: Reads,
    pub(crate) cluster: Cluster,
}

impl World {
    pub(crate) async fn start(replication: Replication) -> Self {
        // It installs the cryptography of all clients.
        drop(gateway::client());
        let cluster = Cluster::start(replication).await;
        let root = Database::at(&Cluster::database("postgres", "postgres"));
        root.execute(&format!("CREATE ROLE gateway LOGIN PASSWORD '{PASSWORD}'")).await;
        root.execute("CREATE DATABASE payments OWNER gateway").await;
        let receiver = Receiver::start().await;
        let token = gateway::token(&database(), MERCHANT);
        let mut gateways = Vec::new();
        for _ in 0..GATEWAYS {
            gateways.push(launch(&cluster).await);
        }
        let bases = gateways.iter().map(|gateway| gateway.base.clone()).collect();
        let target = Arc::new(Target::new(bases, token, &receiver.url, PATIENCE));
        let reads = Reads::start(&target);
        let load = Load::start(&target);
        Self { gateways, receiver, target, load, reads, cluster }
    }

    /// Starts a gateway instead of one that was killed.
    pub(crate) async fn start_gateway(&mut self, index: usize) {
        self.gateways[index] = launch(&self.cluster).await;
        self.target.bases.write().unwrap()[index] = self.gateways[index].base.clone();
    }
}

/// The database as the gateways reach it.
pub(crate) fn database() -> Database {
    Database::at(&Cluster::database("gateway", "payments"))
}

async fn launch(cluster: &Cluster) -> Gateway {
    // A file that others may read is refused.
    let config = cluster.folder.path().join("gateway.toml");
    std::fs::copy(CONFIG, &config).unwrap();
    std::fs::set_permissions(&config, Permissions::from_mode(0o600)).unwrap();
    let mut command = Command::new(PROGRAM);
    // There is one merchant here, and one address.
    for limit in ["GATEWAY_MERCHANT_RATE", "GATEWAY_ADDRESS_RATE", "GATEWAY_PENDING_EVENTS"] {
        command.env(limit, "0");
    }
    command.env("PGPASSWORD", PASSWORD).env("GATEWAY_CONFIG", config);
    let log = std::env::var_os("FAILOVER_LOG");
    let log = log.map(|path| File::options().create(true).append(true).open(path).unwrap());
    // The address in the file.
    let text = std::fs::read_to_string(CONFIG).unwrap();
    let address = text.lines().find_map(|line| line.strip_prefix("database = \"")?.strip_suffix('"')).unwrap();
    Gateway::start_with(command, address, &OPTIONS, log.map_or_else(Stdio::null, Into::into)).await
}
