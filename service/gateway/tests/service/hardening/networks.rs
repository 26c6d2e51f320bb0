//! Limits of clients of IPv6, which count by networks of 64 bits: a subscriber has 2^64 addresses.

use std::sync::Arc;

use payspec_gateway::http::Quotas;
use payspec_gateway::rates::NoRates;
use reqwest::Method;

use super::quotas::{send, start};
use crate::database::Database;
use crate::embedded::Embedded;
use crate::gateway;

/// The network of the proxy, which is this machine.
const PROXY: &str = "127.0.0.0/8";
/// An address of another network than those of `address`.
const OTHER: &str = "2001:db8:0:1::1";

/// Returns an address of one network.
fn address(number: u32) -> String {
    format!("2001:db8::{number:x}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_network_of_ipv6_has_the_limit_of_one_address() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let settings = [
        ("GATEWAY_ADDRESS_RATE", "1"),
        ("GATEWAY_TRUSTED_PROXY", PROXY),
    ];
    let gateway = start(&database, &settings).await;
    let ask = async |address: String| {
        let request = gateway.request(Method::GET, "/v1/partner/balance", Some(&token));
        send(request.header("x-forwarded-for", address)).await
    };
    let mut refused = 0;
    for number in 0..40 {
        refused += u32::from(ask(address(number)).await == 429);
    }
    assert!(refused > 0, "each address has a limit of its own");
    assert_eq!(ask(OTHER.to_owned()).await, 200, "another network");
}

#[tokio::test(flavor = "multi_thread")]
async fn visitors_of_a_network_of_ipv6_have_the_limit_of_one_address() {
    let database = Database::sqlite();
    let settings = [
        ("GATEWAY_ADDRESS_RATE", "0"),
        ("GATEWAY_PAGE_MERCHANT", "shop-42"),
        ("GATEWAY_TRUSTED_PROXY", PROXY),
    ];
    let gateway = start(&database, &settings).await;
    let convert = async |address: String| {
        let request = gateway.request(Method::POST, "/checkout/api/convert", None);
        let request = request.header("x-forwarded-for", address).body("{}");
        request.send().await.unwrap().status().as_u16()
    };
    let mut refused = 0;
    for number in 0..200 {
        refused += u32::from(convert(address(number)).await == 429);
    }
    assert!(refused > 0, "each address has a limit of its own");
    assert_eq!(convert(OTHER.to_owned()).await, 422, "another network");
}

/// The program trusts no proxy before operators, so the gateway is in this process.
#[tokio::test(flavor = "multi_thread")]
async fn wrong_tokens_of_an_operator_lock_out_a_network_of_ipv6() {
    let database = Database::sqlite();
    let operator = gateway::operator(&database, "anna");
    let wrong = gateway::token(&database, "shop-42");
    let proxy = [PROXY.parse().unwrap()];
    let gateway = Embedded::start_behind(&database, Arc::new(NoRates), Quotas::new(0, 0), &proxy);
    let gateway = gateway.await;
    let ask = async |token: &str, address: String| {
        let request = gateway.audit(token).header("x-forwarded-for", address);
        request.send().await.unwrap().status().as_u16()
    };
    assert_eq!(ask(&operator, address(0)).await, 200);
    for number in 1..=5 {
        assert_eq!(ask(&wrong, address(number)).await, 401);
    }
    assert_eq!(ask(&operator, address(6)).await, 429, "the same network");
    assert_eq!(ask(&operator, OTHER.to_owned()).await, 200);
}
