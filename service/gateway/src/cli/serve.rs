//! `gateway serve`: runs the server and its workers until a signal stops them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use payspec_gateway::http::{self, Admin, App, ConnectionLimits, Quotas, ServeConfig};
use payspec_gateway::outbox::{self, OutboxConfig};
use payspec_gateway::{clock, metrics, retention, simulator, system, usage};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::failure::Failure;
use super::settings::{Settings, require_unchangeable};
use super::{logging, manage, setup};

const LISTEN: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8080);
pub(super) const ADMIN_LISTEN: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8090);
const SECONDS: u64 = 30;
const MERCHANT_RATE: u32 = 500;
const ADDRESS_RATE: u32 = 1000;
const PENDING_EVENTS: u32 = 10_000;
/// In MiB.
const MERCHANT_STORAGE: u64 = 10 * 1024;
const KEEP_EVENTS: u32 = 30 * 24;
const CLIENT_SECONDS: u64 = 15;
/// The most deliveries at once.
const PARALLEL: usize = 32;
const POLL: Duration = Duration::from_millis(500);

pub(super) async fn serve(settings: Settings) -> Result<(), Failure> {
    let _log = logging::start(&settings)?;
    let handle = metrics::install()?;
    let listen = settings.listen.unwrap_or(LISTEN);
    if settings.page_merchant.is_some()
        && !listen.ip().is_loopback()
        && !settings.page_public.unwrap_or(false)
    {
        let reason = "page-merchant: every visitor could create payments; --page-public allows it beyond this machine";
        return Err(Failure::new(reason));
    }
    let listener = bind("listen", listen).await?;
    let admin_listener = bind(
        "admin-listen",
        settings.admin_listen.unwrap_or(ADMIN_LISTEN),
    )
    .await?;
    let (address, admin) = (listener.local_addr()?, admin_listener.local_addr()?);
    let public = settings
        .public_url
        .clone()
        .unwrap_or_else(|| format!("http://{address}"));
    let public = public.trim_end_matches('/').to_owned();
    // Without a page there is nothing that a payment's url could lead to.
    let page_url = settings
        .page
        .as_ref()
        .map(|_| format!("{public}/checkout/"));
    if let Some(page) = &settings.page {
        require_unchangeable("page", page)?;
    }
    let storage = setup::storage(&settings).await?;
    let mut service = setup::service(&settings, &storage, page_url).await?;
    service.pending_events = settings.pending_events.unwrap_or(PENDING_EVENTS);
    let most = settings.merchant_storage.unwrap_or(MERCHANT_STORAGE);
    service.usage = Arc::new(usage::Usage::new(
        most.saturating_mul(1024 * 1024),
        Arc::clone(&storage) as _,
    ));
    let service = Arc::new(service);
    if let Some(merchant) = &settings.page_merchant {
        manage::secret(storage.as_ref(), merchant).await?;
        tracing::warn!(
            merchant,
            "the checkout page acts for this merchant without a token: for demonstrations only"
        );
    }
    let (sender, backoff, lease) = setup::sender(&settings)?;
    let (stop, stopping) = watch::channel(false);
    let mut workers = JoinSet::new();
    workers.spawn(metrics::run(handle.clone(), stopping.clone()));
    workers.spawn(usage::run(Arc::clone(&service.usage), stopping.clone()));
    workers.spawn(clock::run(Arc::clone(&storage) as _, stopping.clone()));
    let config = OutboxConfig {
        parallel: PARALLEL,
        poll: POLL,
        lease,
        backoff,
    };
    workers.spawn(outbox::run(
        Arc::clone(&service),
        sender,
        config,
        stopping.clone(),
    ));
    let age = Duration::from_secs(u64::from(settings.keep_events.unwrap_or(KEEP_EVENTS)) * 3600);
    workers.spawn(retention::run(
        Arc::clone(&storage) as _,
        age,
        stopping.clone(),
    ));
    if let Some(pause) = settings.simulate_acquirer {
        workers.spawn(simulator::run(
            Arc::clone(&service),
            Arc::clone(&storage) as _,
            Duration::from_millis(pause),
            stopping.clone(),
        ));
    }
    let checkout = setup::checkout(&settings, &public, address)?;
    let app = Arc::new(App {
        service: Arc::clone(&service),
        docs: settings.docs.unwrap_or(checkout.is_none()),
        page: settings.page,
        checkout,
        log_peers: settings.log_peers.unwrap_or(true),
        timeout: Duration::from_secs(settings.timeout.unwrap_or(SECONDS).max(1)),
        quotas: Quotas::new(
            settings.merchant_rate.unwrap_or(MERCHANT_RATE),
            settings.address_rate.unwrap_or(ADDRESS_RATE),
        ),
        document: http::document(&service.engine, &public)?,
    });
    let interrupted = system::interrupted()?;
    tracing::info!(%address, %admin, "listening");
    let grace = Duration::from_secs(settings.grace.unwrap_or(SECONDS));
    let config = ServeConfig {
        client_timeout: Duration::from_secs(
            settings.client_timeout.unwrap_or(CLIENT_SECONDS).max(1),
        ),
        limits: ConnectionLimits::new(settings.max_clients, settings.max_clients_per_address),
        trusted_proxies: settings.trusted_proxy.unwrap_or_default(),
    };
    tracing::debug!(?config, "connections");
    let admin_config = ServeConfig {
        limits: ConnectionLimits::ADMIN,
        // The public proxy does not lead to this listener, so every local client would choose the
        // origin in the audit, and the address that is locked out.
        trusted_proxies: Vec::new(),
        ..config.clone()
    };
    let admin_router = http::admin_router(Arc::new(Admin {
        app: Arc::clone(&app),
        storage: Arc::clone(&storage) as _,
        metrics: Some(handle),
        attempts: http::Attempts::default(),
        readiness: http::Readiness::default(),
    }));
    let admin_server = tokio::spawn(http::serve(
        admin_listener,
        admin_router,
        admin_config,
        stopping.clone(),
    ));
    let server = tokio::spawn(http::serve(listener, http::router(app), config, stopping));
    // Workers end only when they are stopped. A gateway without them takes payments but sends no
    // events, so it must not look healthy: it ends, and its supervisor starts another.
    let failed = tokio::select! {
        () = interrupted => None,
        Some(_) = workers.join_next() => Some(Failure::new("a worker has ended before its time")),
    };
    tracing::info!("stopping: what has begun is finished");
    stop.send_replace(true);
    let finish = async {
        let _ = server.await;
        let _ = admin_server.await;
        while workers.join_next().await.is_some() {}
    };
    if tokio::time::timeout(grace, finish).await.is_err() {
        tracing::warn!(
            "the time to finish is over; deliveries that are left are made by the next gateway"
        );
    }
    // The bytes of the last requests.
    if let Err(error) = service.usage.write().await {
        tracing::warn!(%error, "the bytes of merchants cannot be counted");
    }
    storage.close().await;
    failed.map_or(Ok(()), Err)
}

/// Listens at the address of a setting, which the error names.
async fn bind(name: &str, address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address)
        .await
        .map_err(|error| Failure::new(format!("{name}: {error}")))
}
