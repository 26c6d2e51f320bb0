//! A gateway in the process of its test, for what the program has no setting for.

use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;
use payspec::Engine;
use payspec_gateway::http::{
    self, Admin, App, Attempts, ConnectionLimits, Quotas, Readiness, ServeConfig, StaticFile,
};
use payspec_gateway::rates::RateSource;
use payspec_gateway::service::Service;
use payspec_gateway::storage::{self, StorageConfig};
use reqwest::{Client, RequestBuilder};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::database::Database;
use crate::gateway;

/// It ends with its owner.
pub(crate) struct Embedded {
    base: String,
    admin: String,
    client: Client,
    _servers: JoinSet<()>,
    _stop: watch::Sender<bool>,
}

impl Embedded {
    pub(crate) async fn start(
        database: &Database,
        rates: Arc<dyn RateSource>,
        quotas: Quotas,
    ) -> Self {
        Self::start_behind(database, rates, quotas, &[]).await
    }

    /// Starts one whose clients are named by proxies of these networks, also at the address of operators.
    pub(crate) async fn start_behind(
        database: &Database,
        rates: Arc<dyn RateSource>,
        quotas: Quotas,
        proxies: &[IpNet],
    ) -> Self {
        let config = StorageConfig {
            address: &database.url,
            keys: None,
            connections: 2,
            min_free_bytes: 0,
        };
        let storage = storage::open(&config).await.unwrap();
        let service = Service::new(
            Engine::default(),
            Arc::clone(&storage) as _,
            Arc::clone(&storage) as _,
            rates,
            "RUB".parse().unwrap(),
            None,
        );
        let app = Arc::new(App {
            service: Arc::new(service),
            page: None,
            docs: true,
            checkout: None,
            log_peers: true,
            timeout: Duration::from_secs(10),
            quotas,
            document: StaticFile::new("application/json", bytes::Bytes::new()),
        });
        let admin = Arc::new(Admin {
            app: Arc::clone(&app),
            storage,
            metrics: None,
            attempts: Attempts::default(),
            readiness: Readiness::default(),
        });
        let config = ServeConfig {
            client_timeout: Duration::from_secs(10),
            limits: ConnectionLimits::new(None, None),
            trusted_proxies: proxies.to_vec(),
        };
        let (stop, stopping) = watch::channel(false);
        let mut servers = JoinSet::new();
        let [base, admin] = [http::router(app), http::admin_router(admin)].map(|router| {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            listener.set_nonblocking(true).unwrap();
            let url = format!("http://{}", listener.local_addr().unwrap());
            let listener = TcpListener::from_std(listener).unwrap();
            servers.spawn(http::serve(
                listener,
                router,
                config.clone(),
                stopping.clone(),
            ));
            url
        });
        Self {
            base,
            admin,
            client: gateway::client(),
            _servers: servers,
            _stop: stop,
        }
    }

    /// A request to read the balance.
    pub(crate) fn balance(&self, token: &str) -> RequestBuilder {
        self.client
            .get(format!("{}/v1/partner/balance", self.base))
            .bearer_auth(token)
    }

    /// A request to create a payment.
    pub(crate) fn create(&self, token: &str, body: &str) -> RequestBuilder {
        let request = self
            .client
            .post(format!("{}/v1/payments/new", self.base))
            .bearer_auth(token);
        request
            .header("content-type", "application/json")
            .body(body.to_owned())
    }

    /// A request of an operator.
    pub(crate) fn audit(&self, token: &str) -> RequestBuilder {
        self.client
            .get(format!("{}/operator/audit", self.admin))
            .bearer_auth(token)
    }

    pub(crate) fn ready(&self) -> RequestBuilder {
        self.client.get(format!("{}/readyz", self.admin))
    }
}
