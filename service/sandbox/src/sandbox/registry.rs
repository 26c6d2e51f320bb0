//! All merchants of a sandbox.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, PoisonError, RwLock};

use axum::extract::Query;
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use serde::Deserialize;
use tokio::sync::watch;

use super::common::Common;
use super::merchant::{Merchant, NAME, is_name, token_name};
use super::problem::Problem;

/// The settings, and the merchants by their names.
pub(crate) struct Sandbox {
    common: Common,
    merchants: RwLock<HashMap<String, Arc<Merchant>>>,
    /// Announces new merchants.
    added: watch::Sender<()>,
}

/// The sandbox of a server.
pub(crate) type Shared = Arc<Sandbox>;

impl Deref for Sandbox {
    type Target = Common;

    fn deref(&self) -> &Common {
        &self.common
    }
}

impl Sandbox {
    pub(crate) fn new(common: Common) -> Self {
        Sandbox {
            common,
            merchants: RwLock::default(),
            added: watch::Sender::new(()),
        }
    }

    /// Returns a merchant, and creates it if it is new.
    pub(crate) fn merchant(&self, name: &str) -> Arc<Merchant> {
        self.known(name).unwrap_or_else(|| {
            let mut merchants = self
                .merchants
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            let merchant = merchants
                .entry(name.to_owned())
                .or_insert_with(|| Arc::new(Merchant::new(self, name)));
            self.added.send_replace(());
            Arc::clone(merchant)
        })
    }

    /// Returns the merchant of a request. A request that only reads leaves no new merchant: another
    /// page may cause any number of them.
    pub(crate) fn merchant_for(&self, method: &Method, name: &str) -> Arc<Merchant> {
        if !method.is_safe() {
            return self.merchant(name);
        }
        self.known(name)
            .unwrap_or_else(|| Arc::new(Merchant::new(self, name)))
    }

    /// Waits until there is a merchant with this name.
    pub(crate) async fn wait_for(&self, name: &str) -> Arc<Merchant> {
        let mut added = self.added.subscribe();
        loop {
            if let Some(merchant) = self.known(name) {
                return merchant;
            }
            // Fails only without a sender, which the sandbox has.
            let _ = added.changed().await;
        }
    }

    pub(crate) fn is_known(&self, name: &str) -> bool {
        self.known(name).is_some()
    }

    fn known(&self, name: &str) -> Option<Arc<Merchant>> {
        self.merchants
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(name)
            .cloned()
    }

    /// Returns all merchants in the order of their names.
    pub(crate) fn merchants(&self) -> Vec<Arc<Merchant>> {
        let merchants = self
            .merchants
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        let mut merchants: Vec<_> = merchants.values().cloned().collect();
        merchants.sort_by(|one, other| one.name().cmp(other.name()));
        merchants
    }
}

/// Returns the merchant that a call acts for, and creates it if it is new.
pub(crate) fn merchant_of(
    sandbox: &Sandbox,
    headers: &HeaderMap,
    uri: &Uri,
) -> Result<Arc<Merchant>, Problem> {
    Ok(sandbox.merchant(&name_of(sandbox, headers, uri)?))
}

/// Returns the merchant that a call reads. An unknown one is shown as new, and not kept.
pub(crate) fn read_merchant(
    sandbox: &Sandbox,
    headers: &HeaderMap,
    uri: &Uri,
) -> Result<Arc<Merchant>, Problem> {
    Ok(sandbox.merchant_for(&Method::GET, &name_of(sandbox, headers, uri)?))
}

/// Returns the name of the merchant of a call: that of its token, or that of `?merchant=NAME`, or the
/// one of the printed token.
pub(crate) fn name_of(
    sandbox: &Sandbox,
    headers: &HeaderMap,
    uri: &Uri,
) -> Result<String, Problem> {
    #[derive(Deserialize)]
    struct Named {
        merchant: Option<String>,
    }
    if let Some(name) = token_name(headers) {
        return Ok(name.to_owned());
    }
    if headers.contains_key(AUTHORIZATION) {
        let expected = "expected Bearer and a token of the sandbox, such as sandbox_default";
        return Err(Problem::input(
            StatusCode::UNAUTHORIZED,
            "authorization",
            expected,
        ));
    }
    let named = Query::<Named>::try_from_uri(uri)
        .ok()
        .and_then(|Query(named)| named.merchant);
    match named {
        None => Ok(sandbox.default.clone()),
        Some(name) if is_name(&name) => Ok(name),
        Some(_) => Err(Problem::input(
            StatusCode::UNPROCESSABLE_ENTITY,
            "merchant",
            NAME,
        )),
    }
}
