//! The balance (§4.3): by merchant and currency, from the states of the payments.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::database::Database;
use crate::gateway::{self, BODY, Gateway};

fn body(kind: &str, currency: &str, amount: &str) -> String {
    let mut body = json!({"payment_type": kind, "mode": "P2P", "subtype": "sbp", "cur": currency, "amount": amount});
    if kind == "pay_out" {
        body["pay_out_details"] =
            json!({"phone_number": "+79990000000", "bank_name": "bank", "full_name": "A B"});
    }
    body.to_string()
}

async fn advance(gateway: &Gateway, operator: &str, uid: &str, change: Value) {
    let path = format!("/operator/payments/{uid}/advance");
    let request = gateway
        .request(reqwest::Method::POST, &path, Some(operator))
        .body(change.to_string());
    let response = request.send().await.unwrap();
    assert_eq!(
        response.status(),
        200,
        "{change}: {}",
        response.text().await.unwrap()
    );
}

async fn balance(gateway: &Gateway, token: &str) -> Value {
    let answer = gateway.get("/v1/partner/balance", Some(token)).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()
}

async fn amount(gateway: &Gateway, token: &str) -> String {
    balance(gateway, token).await["amount"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_merchant_and_currency_has_its_own() {
    for database in Database::both().await {
        let (token, other) = (
            gateway::token(&database, "shop-42"),
            gateway::token(&database, "shop-7"),
        );
        let operator = gateway::operator(&database, "anna");
        let gateway = Gateway::start(&database, &[]).await;
        let none =
            json!({"cur": "RUB", "amount": "0.00", "balances": [{"cur": "RUB", "amount": "0.00"}]});
        assert_eq!(balance(&gateway, &token).await, none);
        let create = async |kind, currency, amount| {
            gateway
                .create(&token, None, &body(kind, currency, amount))
                .await
                .uid()
        };
        let pay_in = create("pay_in", "RUB", "990.50").await;
        assert_eq!(
            amount(&gateway, &token).await,
            "0.00",
            "a created payment adds nothing"
        );
        advance(&gateway, &operator, &pay_in, json!({"to": "routed"})).await;
        assert_eq!(amount(&gateway, &token).await, "0.00");
        advance(&gateway, &operator, &pay_in, json!({"to": "completed"})).await;
        assert_eq!(amount(&gateway, &token).await, "990.50");
        let partly = create("pay_in", "RUB", "100.00").await;
        advance(
            &gateway,
            &operator,
            &partly,
            json!({"to": "not_fully", "paid_amount": "40.25"}),
        )
        .await;
        assert_eq!(amount(&gateway, &token).await, "1030.75");
        let pay_out = create("pay_out", "RUB", "2000.00").await;
        advance(&gateway, &operator, &pay_out, json!({"to": "completed"})).await;
        assert_eq!(amount(&gateway, &token).await, "-969.25");
        advance(
            &gateway,
            &operator,
            &pay_in,
            json!({"to": "correction", "amount": "1000.00"}),
        )
        .await;
        assert_eq!(amount(&gateway, &token).await, "-959.75");
        advance(&gateway, &operator, &pay_in, json!({"to": "chargeback"})).await;
        assert_eq!(
            amount(&gateway, &token).await,
            "-1959.75",
            "what the completion added is taken back"
        );
        advance(&gateway, &operator, &pay_out, json!({"to": "cancel"})).await;
        assert_eq!(amount(&gateway, &token).await, "40.25");
        let yen = create("pay_in", "JPY", "700").await;
        advance(&gateway, &operator, &yen, json!({"to": "completed"})).await;
        let all = json!([{"cur": "JPY", "amount": "700"}, {"cur": "RUB", "amount": "40.25"}]);
        let expected = json!({"cur": "RUB", "amount": "40.25", "balances": all});
        assert_eq!(balance(&gateway, &token).await, expected);
        assert_eq!(balance(&gateway, &other).await, none);
        let failed = create("pay_in", "RUB", "5.00").await;
        advance(
            &gateway,
            &operator,
            &failed,
            json!({"to": "fail", "fail_by": "bank", "fail_code": "declined"}),
        )
        .await;
        assert_eq!(balance(&gateway, &token).await, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_changes_at_once_lose_nothing() {
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let operator = gateway::operator(&database, "anna");
        let one = Arc::new(Gateway::start(&database, &[]).await);
        let two = Arc::new(Gateway::start(&database, &[]).await);
        let mut changes = tokio::task::JoinSet::new();
        for _ in 0..30 {
            let uid = one.create(&token, None, BODY).await.uid();
            // The address for operators has sixteen connections for each client.
            while changes.len() >= 12 {
                changes.join_next().await.unwrap().unwrap();
            }
            // Two gateways make the same change: it counts once.
            for gateway in [&one, &two] {
                let (gateway, operator, uid) = (Arc::clone(gateway), operator.clone(), uid.clone());
                changes.spawn(async move {
                    advance(&gateway, &operator, &uid, json!({"to": "completed"})).await
                });
            }
        }
        changes.join_all().await;
        assert_eq!(amount(&one, &token).await, "29715.00");
    }
}

/// Reading a balance does not depend on the number of payments.
#[tokio::test(flavor = "multi_thread")]
async fn a_balance_is_found_by_indexes() {
    let database = Database::sqlite();
    assert!(gateway::run(&database, &["migrate"]).0);
    let statement = "SELECT currency, amount FROM balances WHERE merchant = 'x' ORDER BY currency";
    let plan = database.plan(statement).await.join("; ");
    assert!(
        plan.contains("sqlite_autoindex_balances_1") && !plan.contains("TEMP B-TREE"),
        "{plan}"
    );
}
