//! Accessors of a typed request return card data and names, and its Debug output does not contain
//! them.

use crate::{CODE, NAME, PAN};
use payspec::{CreateRequest, Engine};

fn body(details: &str) -> String {
    format!(
        r#"{{"payment_type":"pay_in","mode":"ACQUIRING","subtype":"bank_card","cur":"RUB","amount":"990.50","host2host":true,
        "user_id":"{NAME} id","user_name":"{NAME}","bank_name":"{NAME} bank","description":"{NAME} wrote",{details}}}"#
    )
}

#[test]
fn returns_values_that_debug_hides() {
    let engine = Engine::default();
    let body = body(&format!(
        r#""pay_in_details":{{"card":{{"card_holder":"{NAME}","card_number":"{PAN}","expiry_year":2031,"expiry_month":7,"security_code":"{CODE}"}}}}"#
    ));
    // The code of a Visa has three digits.
    let body = body.replace(CODE, &CODE[..3]);
    let (request, report) = engine
        .parse_request(body.as_bytes(), None)
        .expect("a valid body");
    let CreateRequest::PayIn(pay_in) = &request else {
        panic!("a pay-in")
    };
    let card = pay_in
        .pay_in_details
        .as_ref()
        .and_then(|details| details.card.as_ref())
        .expect("a card");
    assert_eq!(card.card_holder.as_deref(), Some(NAME));
    assert_eq!(card.card_number.as_ref().map(|pan| pan.digits()), Some(PAN));
    assert_eq!(
        card.security_code.as_ref().map(|code| code.digits()),
        Some(&CODE[..3])
    );
    assert_eq!(pay_in.user_name.as_deref(), Some(NAME));
    for text in [
        format!("{request:?} {report:?}"),
        format!("{request:#?}"),
        format!("{card:?}"),
        format!("{pay_in:?}"),
    ] {
        for canary in [NAME, PAN, &CODE[..3], "Kanarek"] {
            assert!(!text.contains(canary), "{canary}: {text}");
        }
    }
    let pan = card.card_number.as_ref().expect("a number");
    assert_eq!(
        format!("{pan} {pan:?}"),
        "453957******1486 Pan(453957******1486)"
    );
}
