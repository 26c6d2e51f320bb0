//! The checkout page: the origin of its requests, and the rights of its visitors.

use std::net::IpAddr;
use std::num::NonZeroU32;

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use payspec::Engine;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use zeroize::Zeroizing;

use super::client::Client;
use super::{answer, body};
use crate::rate_limit::RateLimit;
use crate::storage::{CheckoutSession, MerchantProfile};

/// The relation of a request to the page that has made the browser send it.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// An amount and its currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// A decimal number.
    pub amount: String,
    /// The code of a currency.
    pub currency: String,
}

impl Order {
    /// Returns the member of a session that no payment can have.
    pub(super) fn invalid_member(&self, engine: &Engine) -> Option<&'static str> {
        let request = serde_json::json!({
            "payment_type": "pay_in", "mode": "P2P", "subtype": "sbp", "cur": self.currency, "amount": self.amount,
        });
        let request = request.to_string();
        let report = engine.validate_request(request.as_bytes(), None);
        report
            .violations()
            .iter()
            .filter(|found| found.severity() == payspec::Severity::Error)
            .find_map(|found| match found.member() {
                Some("/amount") => Some("/amount"),
                Some("/cur") => Some("/currency"),
                _ => None,
            })
    }
}

/// An order of a merchant for which visitors create sessions by themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demonstration {
    /// The merchant that is paid.
    pub merchant: String,
    /// The order that is paid.
    pub order: Order,
}

/// The checkout page.
pub struct Checkout {
    pub(super) demonstration: Option<Demonstration>,
    /// The address of the page, to which the payer returns.
    pub(super) page: String,
    /// The origins that serve the page: other pages must not call it.
    origins: Vec<String>,
    limit: RateLimit<IpAddr>,
    /// The limit of reports of browsers.
    reports: RateLimit<IpAddr>,
}

/// The number of payments and conversions from one address at once. After that there is one a second.
const BURST: NonZeroU32 = NonZeroU32::new(60).unwrap();
const PER_SECOND: NonZeroU32 = NonZeroU32::MIN;

impl Checkout {
    /// Creates a checkout at a public address. Browsers may also find it at other origins, such as
    /// `http://127.0.0.1:8080`.
    pub fn new(
        demonstration: Option<Demonstration>,
        public_url: &str,
        mut origins: Vec<String>,
    ) -> Self {
        // Without a path, as browsers send it.
        origins.extend(url::Url::parse(public_url).map(|url| url.origin().ascii_serialization()));
        let page = format!("{public_url}/checkout/");
        Self {
            demonstration,
            page,
            origins,
            limit: RateLimit::new(PER_SECOND, BURST),
            reports: RateLimit::new(PER_SECOND, BURST),
        }
    }

    /// Returns whether the order of a session can be paid now.
    pub(super) fn can_pay(&self, session: &CheckoutSession) -> bool {
        session.is_open
            && (session.is_merchant_active || self.is_demonstration_of(&session.merchant))
    }

    /// Returns whether visitors pay this merchant without a session of its server.
    pub(super) fn is_demonstration_of(&self, merchant: &str) -> bool {
        self.demonstration
            .as_ref()
            .is_some_and(|demonstration| demonstration.merchant == merchant)
    }

    /// Returns the origins at which browsers find the page.
    pub(super) fn origins(&self) -> &[String] {
        &self.origins
    }

    /// Returns whether a request comes from the page or from a program, and not from another page.
    ///
    /// A name that leads to this machine would make another page part of the same origin, so the
    /// host must be known too.
    pub(super) fn is_from_page(&self, headers: &HeaderMap) -> bool {
        let text = |name| {
            headers
                .get(name)
                .map(|value: &HeaderValue| value.to_str().unwrap_or_default())
        };
        let is_host = |host: &str| {
            self.origins.iter().any(|origin| {
                origin
                    .split_once("://")
                    .is_some_and(|(_, own)| own.eq_ignore_ascii_case(host))
            })
        };
        text(HOST).is_some_and(is_host)
            && text(ORIGIN).is_none_or(|origin| self.origins.iter().any(|own| own == origin))
            && text(SEC_FETCH_SITE).is_none_or(|site| matches!(site, "same-origin" | "none"))
    }

    /// Returns the answer to a request that is not accepted.
    pub(super) fn refuse(&self, headers: &HeaderMap, client: Client) -> Option<Response> {
        self.refuse_by(&self.limit, headers, client)
    }

    /// Returns the answer to a report that is not accepted. Reports have a limit of their own, so that
    /// they do not use up that of payments.
    pub(super) fn refuse_report(&self, headers: &HeaderMap, client: Client) -> Option<Response> {
        self.refuse_by(&self.reports, headers, client)
    }

    fn refuse_by(
        &self,
        limit: &RateLimit<IpAddr>,
        headers: &HeaderMap,
        client: Client,
    ) -> Option<Response> {
        if !self.is_from_page(headers) {
            return Some(answer::problem(StatusCode::FORBIDDEN));
        }
        limit.check(&client.counted()).err().map(answer::too_many)
    }
}

/// Returns an address as browsers read it, if its origin is registered for the merchant.
pub(super) fn registered(address: &str, profile: &MerchantProfile) -> Option<String> {
    let url = url::Url::parse(address).ok()?;
    // A name before the host would show another host than the one that the link leads to.
    let is_plain = url.username().is_empty() && url.password().is_none();
    let origin = url.origin().ascii_serialization();
    (is_plain && profile.origins.contains(&origin)).then(|| url.into())
}

/// The members that a visitor may choose. The server sets the rest of a creation request.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VisitorRequest {
    payment_type: PayIn,
    cur: String,
    amount: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subtype: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bank_name: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host2host: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pay_in_details: Option<Value>,
    /// The address of the page itself, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    redirect_url: Option<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum PayIn {
    PayIn,
}

impl VisitorRequest {
    /// Returns the creation request of a visitor, or `None` if it contains more than a visitor may
    /// choose. The text may contain card data, as the values before it, which the program's allocator
    /// wipes.
    pub(super) fn of(
        body: &[u8],
        checkout: &Checkout,
        session: &CheckoutSession,
    ) -> Option<body::Bytes> {
        let mut request: Self = body::object(body).ok()?;
        let is_own = |url: &String| {
            checkout
                .origins
                .iter()
                .any(|origin| url.strip_prefix(origin.as_str()) == Some("/checkout/"))
                || *url == checkout.page
        };
        let is_order = request.amount == session.amount && request.cur == session.currency;
        if !is_order || !request.redirect_url.as_ref().is_none_or(is_own) {
            return None;
        }
        request.redirect_url = Some(
            session
                .redirect_url
                .as_ref()
                .unwrap_or(&checkout.page)
                .clone(),
        );
        serde_json::to_vec(&request).ok().map(Zeroizing::new)
    }
}
