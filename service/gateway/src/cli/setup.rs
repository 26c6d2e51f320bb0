//! Creates the parts of a gateway from its settings.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use payspec::{Currency, Engine};
use payspec_gateway::http::{Checkout, Demonstration, Order};
use payspec_gateway::rates::{
    DemoRates, FileRates, HttpRates, HttpRatesConfig, NoRates, RateSource,
};
use payspec_gateway::secret_keys::SecretKeys;
use payspec_gateway::service::{Service, ShadowPolicy, ViewKey};
use payspec_gateway::storage::{self, Administration, Shared, StorageConfig};
use payspec_gateway::webhook::{Backoff, Sender, SenderConfig, Targets};

use url::{Host, Url};
use zeroize::Zeroizing;

use super::failure::Failure;
use super::settings::{Settings, read, read_private, require_private, require_unchangeable};

const DATABASE: &str = "sqlite:gateway.db";
const MIN_FREE_SPACE: u64 = 64;
const CONNECTIONS: u32 = 10;
const ORDER: &str = "1500.00 RUB";
const BALANCE_CURRENCY: &str = "RUB";

/// Opens the storage with its schema up to date.
pub(super) async fn storage(settings: &Settings) -> Result<Shared, Failure> {
    let address = settings.database.as_deref().unwrap_or(DATABASE);
    let config = StorageConfig {
        address,
        keys: secret_keys(settings)?,
        connections: settings.connections.unwrap_or(CONNECTIONS).max(1),
        min_free_bytes: settings
            .min_free_space
            .unwrap_or(MIN_FREE_SPACE)
            .saturating_mul(1024 * 1024),
    };
    let storage = storage::open(&config).await?;
    storage.migrate().await?;
    storage.encrypt_secrets().await?;
    // The clock may have been set back while no gateway was running.
    storage.tick().await?;
    Ok(storage)
}

/// Returns the keys of webhook secrets, from the environment or a file.
fn secret_keys(settings: &Settings) -> Result<Option<Arc<SecretKeys>>, Failure> {
    let (name, text) = match (&settings.secret_keys, &settings.secret_keys_file) {
        (None, None) => return Ok(None),
        (Some(keys), None) => ("secret-keys", Zeroizing::new(keys.clone())),
        (None, Some(path)) => (
            "secret-keys-file",
            Zeroizing::new(read_private("secret-keys-file", path)?),
        ),
        (Some(_), Some(_)) => {
            return Err(Failure::new(
                "secret-keys and secret-keys-file: one of them is enough",
            ));
        }
    };
    let keys =
        SecretKeys::parse(&text).map_err(|error| Failure::new(format!("{name}: {error}")))?;
    Ok(Some(Arc::new(keys)))
}

/// Returns the engine with the policy. A policy with a fingerprint key is a secret.
pub(super) fn engine(settings: &Settings) -> Result<Engine, Failure> {
    match &settings.policy {
        Some(path) => policy("policy", path),
        None => Ok(Engine::default()),
    }
}

/// Reads the policy of a setting.
fn policy(name: &str, path: &Path) -> Result<Engine, Failure> {
    let wrong = |error: payspec::Error| Failure::new(format!("{name}: {}: {error}", error.path()));
    let text = Zeroizing::new(read(name, path)?);
    require_unchangeable(name, path)?;
    let engine = Engine::from_json(&text).map_err(wrong)?;
    if engine.policy().fingerprint_key.is_some() {
        require_private(name, path)?;
    }
    Ok(engine)
}

/// Creates the service on a storage, without HTTP.
pub(super) async fn service(
    settings: &Settings,
    storage: &Shared,
    page_url: Option<String>,
) -> Result<Service, Failure> {
    let currency = settings
        .balance_currency
        .as_deref()
        .unwrap_or(BALANCE_CURRENCY);
    let currency = currency
        .parse::<Currency>()
        .map_err(|_| Failure::new("balance-currency: expected a code such as RUB"))?;
    let rates = rates(settings).await?;
    let key = fingerprint_key(storage.as_ref()).await?;
    let engine = with_fingerprint_key(engine(settings)?, &key)?;
    let view_key = match &page_url {
        Some(_) => Some(ViewKey::new(
            shared_key(storage.as_ref(), "view_key").await?.as_bytes(),
        )),
        None => None,
    };
    let shadow = match &settings.shadow_policy {
        Some(path) => Some(ShadowPolicy::new(&engine, &policy("shadow-policy", path)?)),
        None => None,
    };
    let (payments, outbox) = (Arc::clone(storage), Arc::clone(storage));
    let mut service = Service::new(engine, payments, outbox, rates, currency, page_url);
    service.view_key = view_key;
    service.shadow = shadow;
    Ok(service)
}

/// Returns the key of the database, which `migrate` creates.
pub(super) async fn fingerprint_key(
    storage: &dyn Administration,
) -> Result<Zeroizing<String>, Failure> {
    shared_key(storage, "fingerprint_key").await
}

/// Returns a key of the database, which the first gateway that needs it creates.
async fn shared_key(
    storage: &dyn Administration,
    name: &str,
) -> Result<Zeroizing<String>, Failure> {
    let mut bytes = Zeroizing::new([0_u8; 32]);
    getrandom::fill(bytes.as_mut_slice())?;
    let new = Zeroizing::new(hex::encode(bytes.as_slice()));
    Ok(storage.get_or_insert_key(name, &new).await?)
}

/// Sets a fingerprint key unless the policy has one. Without a key, two cards with the same mask
/// have the same fingerprint.
fn with_fingerprint_key(engine: Engine, key: &str) -> Result<Engine, Failure> {
    let mut policy = engine.policy().clone();
    if policy.fingerprint_key.is_some() {
        return Ok(engine);
    }
    let wrong = |error: payspec::Error| {
        Failure::new(format!("the fingerprint key of the database: {error}"))
    };
    policy.fingerprint_key = Some(key.parse().map_err(wrong)?);
    Engine::new(policy).map_err(wrong)
}

async fn rates(settings: &Settings) -> Result<Arc<dyn RateSource>, Failure> {
    let Some(source) = &settings.rates else {
        if !settings.demo_rates.unwrap_or(false) {
            return Ok(Arc::new(NoRates));
        }
        tracing::warn!("demo-rates: the rates of mode CRYPTO are invented");
        return Ok(Arc::new(DemoRates::default()));
    };
    if !source.starts_with("http://") && !source.starts_with("https://") {
        let path = Path::new(source);
        require_unchangeable("rates", path)?;
        return Ok(Arc::new(FileRates::open(path).await?));
    }
    // The address may hold a key, so it is not repeated.
    let url: Url = source
        .parse()
        .map_err(|_| Failure::new("rates: not a URL"))?;
    let is_local = match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    };
    if url.scheme() == "http" && !is_local {
        return Err(Failure::new(
            "rates: anybody on the way could change rates over http: use https",
        ));
    }
    Ok(Arc::new(HttpRates::new(HttpRatesConfig::new(url))?))
}

/// Returns the checkout, if there is a page or a demonstration.
pub(super) fn checkout(
    settings: &Settings,
    public_url: &str,
    address: SocketAddr,
) -> Result<Option<Checkout>, Failure> {
    if settings.page.is_none() && settings.page_merchant.is_none() {
        return Ok(None);
    }
    let order = settings.page_order.as_deref().unwrap_or(ORDER);
    let order = order.split_once(' ').map(|(amount, currency)| Order {
        amount: amount.to_owned(),
        currency: currency.to_owned(),
    });
    let order = order.ok_or_else(|| {
        Failure::new("page-order: expected an amount and a currency: 1500.00 RUB")
    })?;
    let mut origins = settings.page_origin.clone().unwrap_or_default();
    origins.push(format!("http://{address}"));
    if address.ip().is_loopback() {
        origins.push(format!("http://localhost:{}", address.port()));
    }
    let demonstration = settings
        .page_merchant
        .clone()
        .map(|merchant| Demonstration { merchant, order });
    Ok(Some(Checkout::new(demonstration, public_url, origins)))
}

/// Creates the sender of callbacks.
pub(super) fn sender(settings: &Settings) -> Result<(Sender, Backoff, Duration), Failure> {
    let mut config = SenderConfig {
        targets: Targets {
            allowed: settings.callback_allow.clone().unwrap_or_default(),
            plain_http: !settings.callback_https_only.unwrap_or(false),
        },
        ..SenderConfig::default()
    };
    if let Some(seconds) = settings.callback_timeout {
        config.timeouts.total = Duration::from_secs(seconds.max(1));
    }
    // Long enough for the longest attempt, and to store its result.
    let lease = config.timeouts.total + Duration::from_secs(10);
    let mut backoff = Backoff::default();
    if let Some(pause) = settings.callback_pause {
        backoff.first = Duration::from_millis(pause);
    }
    Ok((Sender::new(config)?, backoff, lease))
}
