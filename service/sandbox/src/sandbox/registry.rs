//! All merchants of a sandbox.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, PoisonError, RwLock};

use axum::extract::Query;
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode, Uri};
use serde::Deserialize;

use super::common::Common;
use super::merchant::{Merchant, NAME, is_name, token_name};
use super::problem::Problem;

/// The settings, and the merchants by their names.
pub(crate) struct Sandbox {
    common: Common,
    merchants: RwLock<HashMap<String, Arc<Merchant>>>,
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
        }
    }

    /// Returns a merchant, and creates it if it is new.
    pub(crate) fn merchant(&self, name: &str) -> Arc<Merchant> {
        let known = self
            .merchants
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(name)
            .cloned();
        known.unwrap_or_else(|| {
            let mut merchants = self
                .merchants
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            Arc::clone(
                merchants
                    .entry(name.to_owned())
                    .or_insert_with(|| Arc::new(Merchant::new(self, name))),
            )
        })
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

/// Returns the merchant that a call acts for: that of its token, or that of `?merchant=NAME`, or
/// the one of the printed token.
pub(crate) fn merchant_of(
    sandbox: &Sandbox,
    headers: &HeaderMap,
    uri: &Uri,
) -> Result<Arc<Merchant>, Problem> {
    #[derive(Deserialize)]
    struct Named {
        merchant: Option<String>,
    }
    if let Some(name) = token_name(headers) {
        return Ok(sandbox.merchant(name));
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
        None => Ok(sandbox.merchant(&sandbox.default)),
        Some(name) if is_name(&name) => Ok(sandbox.merchant(&name)),
        Some(_) => Err(Problem::input(
            StatusCode::UNPROCESSABLE_ENTITY,
            "merchant",
            NAME,
        )),
    }
}
