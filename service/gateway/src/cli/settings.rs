//! The settings: by a flag, the environment, or a file, in that order.

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use clap::Args;
use ipnet::IpNet;
use serde::Deserialize;

use super::failure::Failure;

/// All settings. In the file, each has the name of its flag with `_` for `-`.
#[derive(Args, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Settings {
    /// A file of these settings in TOML: the flags' names, with _ for -
    #[arg(long, env = "GATEWAY_CONFIG", value_name = "FILE", global = true)]
    #[serde(skip)]
    pub(crate) config: Option<PathBuf>,

    /// The database of payments: sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE [default:
    /// sqlite:gateway.db]
    #[arg(
        long,
        env = "GATEWAY_DATABASE",
        value_name = "URL",
        hide_env_values = true,
        global = true
    )]
    pub(crate) database: Option<String>,
    /// The keys that webhook secrets are encrypted with, ID:BASE64, the first one encrypts; for the
    /// environment or the file of settings [default: those in a file beside the SQLite file;
    /// PostgreSQL has none]
    #[arg(
        long,
        env = "GATEWAY_SECRET_KEYS",
        value_name = "KEYS",
        hide_env_values = true,
        global = true
    )]
    pub(crate) secret_keys: Option<String>,
    /// The file of these keys, one a line
    #[arg(
        long,
        env = "GATEWAY_SECRET_KEYS_FILE",
        value_name = "FILE",
        global = true
    )]
    pub(crate) secret_keys_file: Option<PathBuf>,
    /// The most connections to the database, besides six of PostgreSQL for payments [default: 10]
    #[arg(long, env = "GATEWAY_CONNECTIONS", value_name = "N", global = true)]
    pub(crate) connections: Option<u32>,
    /// Space that payments leave free on the disk of a SQLite file, in MiB; below it they are
    /// answered with 503 [default: 64]
    #[arg(
        long,
        env = "GATEWAY_MIN_FREE_SPACE",
        value_name = "MEBIBYTES",
        global = true
    )]
    pub(crate) min_free_space: Option<u64>,
    /// The policy of the rules: a JSON file
    #[arg(long, env = "GATEWAY_POLICY", value_name = "FILE", global = true)]
    pub(crate) policy: Option<PathBuf>,
    /// A policy that decides nothing: a JSON file. Requests that only one of it and --policy accepts
    /// are counted by rule and merchant in the metrics and in the log
    #[arg(
        long,
        env = "GATEWAY_SHADOW_POLICY",
        value_name = "FILE",
        global = true
    )]
    pub(crate) shadow_policy: Option<PathBuf>,
    /// The format of logs: text or json [default: text]
    #[arg(long, env = "GATEWAY_LOG_FORMAT", value_name = "FORMAT", global = true)]
    pub(crate) log_format: Option<String>,
    /// The filter of logs, as of tracing: info, or payspec_gateway=debug, … Bodies appear at debug,
    /// redacted [default: info,sqlx=warn]
    #[arg(long, env = "GATEWAY_LOG", value_name = "FILTER", global = true)]
    pub(crate) log: Option<String>,

    /// The public address to listen on [default: 127.0.0.1:8080]
    #[arg(long, env = "GATEWAY_LISTEN", value_name = "ADDRESS")]
    pub(crate) listen: Option<SocketAddr>,
    /// The address of /operator, /readyz, and /metrics, for operators, probes, and scrapers [default:
    /// 127.0.0.1:8090]
    #[arg(long, env = "GATEWAY_ADMIN_LISTEN", value_name = "ADDRESS")]
    pub(crate) admin_listen: Option<SocketAddr>,
    /// A network of proxies whose X-Forwarded-For names the client at --listen, for limits and logs;
    /// may be given more than once
    #[arg(
        long,
        env = "GATEWAY_TRUSTED_PROXY",
        value_name = "NETWORK",
        value_delimiter = ','
    )]
    pub(crate) trusted_proxy: Option<Vec<IpNet>>,
    /// Whether logs contain the addresses of clients [default: true]
    #[arg(long, env = "GATEWAY_LOG_PEERS", value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) log_peers: Option<bool>,
    /// The gateway's address as payers see it, for the url of payments [default: http:// and the
    /// address listened on]
    #[arg(long, env = "GATEWAY_PUBLIC_URL", value_name = "URL")]
    pub(crate) public_url: Option<String>,
    /// The longest time of a request, in seconds; its body may take half of that [default: 30]
    #[arg(long, env = "GATEWAY_TIMEOUT", value_name = "SECONDS")]
    pub(crate) timeout: Option<u64>,
    /// The longest time of a client for its first byte, the head of a request, between two requests,
    /// and until it reads on in an answer, in seconds [default: 15]
    #[arg(long, env = "GATEWAY_CLIENT_TIMEOUT", value_name = "SECONDS")]
    pub(crate) client_timeout: Option<u64>,
    /// The most connections of clients [default: 16384, or less if there are fewer descriptors]
    #[arg(long, env = "GATEWAY_MAX_CLIENTS", value_name = "N")]
    pub(crate) max_clients: Option<usize>,
    /// The most connections from one address; a proxy is one address [default: half of
    /// --max-clients]
    #[arg(long, env = "GATEWAY_MAX_CLIENTS_PER_ADDRESS", value_name = "N")]
    pub(crate) max_clients_per_address: Option<usize>,
    /// Requests a second of one merchant, and twice as many at once; 0: no limit [default: 500]
    #[arg(long, env = "GATEWAY_MERCHANT_RATE", value_name = "N")]
    pub(crate) merchant_rate: Option<u32>,
    /// Requests a second of one address, and twice as many at once; a proxy is one address; 0: no
    /// limit [default: 1000]
    #[arg(long, env = "GATEWAY_ADDRESS_RATE", value_name = "N")]
    pub(crate) address_rate: Option<u32>,
    /// Events of one merchant that may wait; beyond it, it creates no payments with a callback; 0:
    /// no limit [default: 10000]
    #[arg(long, env = "GATEWAY_PENDING_EVENTS", value_name = "N")]
    pub(crate) pending_events: Option<u32>,
    /// The most space of payments, keys, and sessions of one merchant in the database, in MiB; beyond
    /// it, it creates none; 0: no limit [default: 10240]
    #[arg(long, env = "GATEWAY_MERCHANT_STORAGE", value_name = "MEBIBYTES")]
    pub(crate) merchant_storage: Option<u64>,
    /// The time for which delivered events and expired unpaid sessions are kept, in hours [default:
    /// 720]
    #[arg(long, env = "GATEWAY_KEEP_EVENTS", value_name = "HOURS")]
    pub(crate) keep_events: Option<u32>,
    /// The longest time of requests and deliveries after SIGTERM, in seconds [default: 30]
    #[arg(long, env = "GATEWAY_GRACE", value_name = "SECONDS")]
    pub(crate) grace: Option<u64>,
    /// The currency of GET /v1/partner/balance; other currencies of the merchant are listed beside
    /// it [default: RUB]
    #[arg(long, env = "GATEWAY_BALANCE_CURRENCY", value_name = "CODE")]
    pub(crate) balance_currency: Option<String>,

    /// Rates for mode CRYPTO: a JSON file, or an https URL; http only on this machine. Without
    /// rates such payments are 455
    #[arg(
        long,
        env = "GATEWAY_RATES",
        value_name = "SOURCE",
        hide_env_values = true
    )]
    pub(crate) rates: Option<String>,

    /// Uses invented rates: for demonstrations only
    #[arg(long, env = "GATEWAY_DEMO_RATES", num_args = 0..=1, default_missing_value = "true", conflicts_with = "rates")]
    pub(crate) demo_rates: Option<bool>,

    /// Callbacks may also go to this network, such as 127.0.0.0/8; may be given more than once
    #[arg(
        long,
        env = "GATEWAY_CALLBACK_ALLOW",
        value_name = "NETWORK",
        value_delimiter = ','
    )]
    pub(crate) callback_allow: Option<Vec<IpNet>>,
    /// Callbacks go to https only
    #[arg(long, env = "GATEWAY_CALLBACK_HTTPS_ONLY", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) callback_https_only: Option<bool>,
    /// The pause after the first failed delivery, in milliseconds; later ones grow [default: 5000]
    #[arg(long, env = "GATEWAY_CALLBACK_PAUSE", value_name = "MILLISECONDS")]
    pub(crate) callback_pause: Option<u64>,
    /// The longest time of one delivery, in seconds [default: 20]
    #[arg(long, env = "GATEWAY_CALLBACK_TIMEOUT", value_name = "SECONDS")]
    pub(crate) callback_timeout: Option<u64>,

    /// Simulates the acquirer: routes and completes each payment, with this pause in milliseconds
    #[arg(long, env = "GATEWAY_SIMULATE_ACQUIRER", value_name = "MILLISECONDS", num_args = 0..=1, default_missing_value = "2000")]
    pub(crate) simulate_acquirer: Option<u64>,
    /// Serves the built checkout page from this folder at /checkout/
    #[arg(long, env = "GATEWAY_PAGE", value_name = "FOLDER")]
    pub(crate) page: Option<PathBuf>,
    /// Whether /docs shows the API, with a script of OpenAPI Explorer [default: true without a checkout
    /// page, otherwise false, because a fault of that script could read the fields of the page]
    #[arg(long, env = "GATEWAY_DOCS", value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) docs: Option<bool>,
    /// Visitors of the page may pay this merchant without a checkout session of its server: for
    /// demonstrations only, and only on a loopback address
    #[arg(long, env = "GATEWAY_PAGE_MERCHANT", value_name = "MERCHANT")]
    pub(crate) page_merchant: Option<String>,
    /// The order of --page-merchant [default: 1500.00 RUB]
    #[arg(long, env = "GATEWAY_PAGE_ORDER", value_name = "AMOUNT CURRENCY")]
    pub(crate) page_order: Option<String>,
    /// Another origin at which browsers find the page, such as http://localhost:5173; may be given
    /// more than once
    #[arg(
        long,
        env = "GATEWAY_PAGE_ORIGIN",
        value_name = "ORIGIN",
        value_delimiter = ','
    )]
    pub(crate) page_origin: Option<Vec<String>>,
    /// Lets strangers use the page: serves --page-merchant on an address that is not loopback
    #[arg(long, env = "GATEWAY_PAGE_PUBLIC", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) page_public: Option<bool>,
}

macro_rules! first_of {
    ($flags:ident, $file:ident: $($member:ident)*) => {
        Settings { config: $flags.config, $($member: $flags.$member.or($file.$member)),* }
    };
}

impl Settings {
    /// Returns these settings, completed by those of the file.
    pub(crate) fn with_file(self) -> Result<Self, Failure> {
        let Some(path) = &self.config else {
            return Ok(self);
        };
        let text = read_private("config", path)?;
        // The parser's message may repeat a value, which may be a password: only its line is
        // reported.
        let file: Settings = toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(0, |span| {
                text[..span.start.min(text.len())].matches('\n').count() + 1
            });
            Failure::new(format!(
                "config: line {line}: not a setting, or not its kind of value"
            ))
        })?;
        Ok(
            first_of!(self, file: database secret_keys secret_keys_file connections min_free_space policy shadow_policy log_format log listen admin_listen trusted_proxy log_peers public_url timeout client_timeout max_clients max_clients_per_address merchant_rate address_rate pending_events merchant_storage keep_events grace balance_currency rates demo_rates
            callback_allow callback_https_only callback_pause callback_timeout simulate_acquirer page docs
            page_merchant page_order page_origin page_public),
        )
    }
}

/// Reads a file that may contain secrets, unless others have access to it.
pub(super) fn read_private(name: &str, path: &Path) -> Result<String, Failure> {
    let text = read(name, path)?;
    require_private(name, path)?;
    Ok(text)
}

/// Checks that only the owner of a file has access to it.
pub(super) fn require_private(name: &str, path: &Path) -> Result<(), Failure> {
    let mode = std::fs::metadata(path).map_or(0, |file| file.permissions().mode());
    if mode & 0o077 != 0 {
        let reason =
            format!("{name}: others have access to this file, which may hold secrets: chmod 600");
        return Err(Failure::new(reason));
    }
    Ok(())
}

/// Checks that others cannot change a file, or a folder and the files in it.
pub(super) fn require_unchangeable(name: &str, path: &Path) -> Result<(), Failure> {
    let at = |error: std::io::Error| Failure::new(format!("{name}: {error}"));
    let file = std::fs::metadata(path).map_err(at)?;
    if file.permissions().mode() & 0o002 != 0 {
        let reason = format!("{name}: others can change a file or folder of it: chmod -R o-w");
        return Err(Failure::new(reason));
    }
    if file.is_dir() {
        for entry in std::fs::read_dir(path).map_err(at)? {
            require_unchangeable(name, &entry.map_err(at)?.path())?;
        }
    }
    Ok(())
}

/// Reads the file of a setting. The error names the setting.
pub(super) fn read(name: &str, path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::new(format!("{name}: {error}")))
}
