//! One recipe for each rule: how to change a valid body. The library decides whether the result
//! breaks only this rule.

use fastrand::Rng;
use payspec::operations::operation;
use payspec::{Code, Engine, RULES};
use serde_json::{Value, json};

use super::body::Body;
use super::payment;
use super::request::{self, Card, Shape};
use crate::failure::Failure;

/// A body that may break a rule, with the call that shows it.
pub(super) struct Draft {
    operation: &'static str,
    pub(super) body: String,
    /// The second input of the operation: its name and value.
    other: Option<(&'static str, String)>,
}

impl Draft {
    fn request(body: String) -> Self {
        Draft {
            operation: "validate_request",
            body,
            other: None,
        }
    }

    fn payment(body: &Body) -> Self {
        Draft {
            operation: "check_payment",
            body: body.json(),
            other: None,
        }
    }

    /// Returns the answer of the library, and the codes of all violations in it.
    pub(super) fn answer(&self, engine: &Engine) -> Option<(Vec<u8>, Vec<Code>)> {
        let other = self.other.as_ref().map(|(_, other)| other.as_bytes());
        let mut answer = Vec::new();
        operation(self.operation)?
            .call(
                engine,
                &[Some(self.body.as_bytes()), other],
                Some(&mut answer),
            )
            .ok()?;
        let report: Value = serde_json::from_slice(&answer).ok()?;
        let violations = report
            .get("violations")
            .or_else(|| report.pointer("/body/violations"))?
            .as_array()?;
        let code = |violation: &Value| {
            let name = violation.get("code")?.as_str()?;
            RULES
                .iter()
                .find(|rule| rule.name == name)
                .map(|rule| rule.code)
        };
        let codes = violations.iter().map(code).collect::<Option<Vec<_>>>()?;
        Some((answer, codes))
    }

    /// Returns the line with operation, inputs, and answer. The body is text, since it may not be
    /// JSON.
    pub(super) fn with_answer(&self, answer: &[u8]) -> Result<String, Failure> {
        let answer = String::from_utf8_lossy(answer);
        let body = Value::from(self.body.as_str());
        let other = self
            .other
            .as_ref()
            .map(|(name, other)| format!(",\"{name}\":{}", Value::from(other.as_str())));
        let other = other.unwrap_or_default();
        Ok(format!(
            "{{\"operation\":\"{}\",\"inputs\":{{\"body\":{body}{other}}},\"answer\":{answer}}}",
            self.operation
        ))
    }
}

/// Returns a draft that may break the rule, or a valid request. Returns `None` if no payment could
/// be created.
pub(super) fn draft(
    engine: &Engine,
    code: Option<Code>,
    now: &str,
    rng: &mut Rng,
) -> Option<Draft> {
    let Some(code) = code else {
        return Some(Draft::request(
            request::random(engine, Shape::Any, rng).json(),
        ));
    };
    match code {
        Code::FieldCurrency
        | Code::StateInconsistent
        | Code::FailureUnexplained
        | Code::UnmaskedCardNumber
        | Code::CurrencyWithdrawn
        | Code::InfoType
        | Code::AmountIdentity
        | Code::AnswerMismatch => of_payment(engine, code, now, rng),
        Code::JsonSyntax => {
            let text = request::random(engine, Shape::Any, rng).json();
            let end = (rng.usize(1..text.len())..).find(|at| text.is_char_boundary(*at))?;
            Some(Draft::request(text[..end].to_owned()))
        }
        Code::CardExpired => {
            let mut body = request::random(engine, Shape::HostToHost, rng);
            let card = Card {
                year: 2000 + rng.u32(1..20),
                ..Card::random(rng)
            };
            body.set_json("pay_in_details", card.details(rng));
            Some(Draft {
                other: Some(("now", now.to_owned())),
                ..Draft::request(body.json())
            })
        }
        Code::MerchantNotAllowed => {
            let body = request::random(engine, Shape::Any, rng).json();
            let context = json!({
                "uid": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
                "now": now,
                "authorization": "checked_by_caller",
                "allowed_merchant_ids": [format!("store-{}", rng.u32(1..100))],
            });
            Some(Draft {
                operation: "create_payment",
                body,
                other: Some(("context", context.to_string())),
            })
        }
        _ => Some(Draft::request(of_request(engine, code, rng).json())),
    }
}

fn shape(code: Code) -> Shape {
    match code {
        Code::CardNumberSyntax
        | Code::CardNumberChecksum
        | Code::CardNumberNoCheckDigit
        | Code::ExpiryMonthRange
        | Code::ExpiryYearRange
        | Code::ExpiryYearTwoDigits
        | Code::SecurityCodeSyntax
        | Code::HostToHostWithoutCard
        | Code::CardWithoutHostToHost => Shape::HostToHost,
        Code::PhoneNumberSyntax => Shape::Phone,
        Code::RecipientIncomplete => Shape::PayOut,
        Code::VariantMismatch => Shape::PayIn,
        _ => Shape::Any,
    }
}

/// Returns a random one of the texts.
fn one_of(rng: &mut Rng, texts: &[&'static str]) -> &'static str {
    texts[rng.usize(..texts.len())]
}

fn of_request(engine: &Engine, code: Code, rng: &mut Rng) -> Body {
    let mut body = request::random(engine, shape(code), rng);
    let mut card = Card::random(rng);
    let limits = &engine.policy().limits;
    let text_of =
        |length: u64| "x".repeat(usize::try_from(length).unwrap_or(usize::MAX).min(1 << 26));
    let address = one_of(rng, &["callback", "redirect_url"]);
    match code {
        Code::BodyTooLarge => body.set("description", text_of(limits.body_bytes)),
        Code::TooDeep => {
            let depth = usize::try_from(limits.depth.min(limits.body_bytes)).unwrap_or(usize::MAX);
            body.set_json(
                "x-data",
                format!("{}{}", "[".repeat(depth), "]".repeat(depth)),
            );
        }
        Code::DuplicateMember => {
            let index = rng.usize(..body.len());
            body.repeat(index);
        }
        Code::Type => {
            let name = one_of(
                rng,
                &["amount", "cur", "merchant_id", "user_id", "callback"],
            );
            let values = [json!(rng.u32(1..1000)), json!(true), json!([]), json!({})];
            body.set(name, values[rng.usize(..values.len())].clone());
        }
        Code::Missing => body.remove(one_of(rng, &["amount", "cur", "subtype"])),
        Code::UnsupportedValue => {
            let (name, value) = [
                ("mode", "p2p"),
                ("mode", "CARD"),
                ("subtype", "card"),
                ("subtype", "SBP"),
            ][rng.usize(..4)];
            body.set(name, value);
        }
        Code::UnknownMember => body.set(&format!("x-field-{}", rng.u32(1..100)), rng.u32(1..100)),
        Code::LegacyMember => body.set(
            one_of(
                rng,
                &[
                    "widget",
                    "campaign_key",
                    "traffic_type",
                    "payer_email",
                    "system",
                ],
            ),
            "value",
        ),
        Code::VariantMismatch => body.set_json(
            "pay_out_details",
            "{\"full_name\":\"ANNA PETROVA\"}".to_owned(),
        ),
        Code::AmountSyntax => body.set(
            "amount",
            one_of(
                rng,
                &["1,50", "01.50", "-5.00", "+5", "1e3", ".5", "5.", "", " 5"],
            ),
        ),
        Code::AmountNotPositive => body.set("amount", one_of(rng, &["0", "0.0", "0.00"])),
        Code::AmountScale => body.set(
            "amount",
            format!("{}.000{}", rng.u32(1..1000), rng.u32(1..10)),
        ),
        Code::AmountOutOfBounds => {
            body.set("amount", format!("1{}", "0".repeat(rng.usize(18..30))))
        }
        Code::CurrencyUnknown => body.set("cur", one_of(rng, &["ZZZ", "rub", "USDT", "R", "DEM"])),
        Code::CurrencyNotAllowed => {
            // Reported only if the policy lists currencies.
            body.set("cur", one_of(rng, &["RUB", "USD", "EUR", "KZT", "UZS"]));
            body.set("amount", "100");
        }
        Code::CurrencyNotFiat => body.set("cur", one_of(rng, &["XAU", "XAG", "XTS", "XXX"])),
        Code::UriSyntax => body.set(
            address,
            one_of(
                rng,
                &[
                    "/orders/1",
                    "shop.example",
                    "https://",
                    "https://shop.example/a b",
                ],
            ),
        ),
        Code::UriScheme => body.set(
            address,
            one_of(
                rng,
                &[
                    "ftp://shop.example/1",
                    "javascript:alert(1)",
                    "file:///etc/hosts",
                ],
            ),
        ),
        Code::UriCredentials => body.set(address, "https://anna:pass@shop.example/orders/1"),
        Code::UriPrivateHost => body.set(
            "callback",
            one_of(
                rng,
                &[
                    "https://localhost/hooks",
                    "https://10.0.0.7/hooks",
                    "https://[::1]/hooks",
                ],
            ),
        ),
        Code::TextEmpty => body.set(one_of(rng, &["user_id", "description"]), ""),
        Code::TextTooLong => {
            let (name, limit) = match rng.bool() {
                true => ("user_id", limits.text_chars),
                false => ("description", limits.description_chars),
            };
            body.set(name, text_of(limit.saturating_add(1)));
        }
        Code::TextControlCharacter => body.set(
            one_of(rng, &["user_id", "description"]),
            one_of(rng, &["a\u{7}b", "a\u{202e}b", "a\u{0}", "a\u{2028}b"]),
        ),
        Code::CardNumberSyntax => {
            card.number =
                one_of(rng, &["4111", "4111-1111-1111-1111", "411111111111111a"]).to_owned()
        }
        Code::CardNumberChecksum => {
            let last = card
                .number
                .pop()
                .and_then(|digit| digit.to_digit(10))
                .unwrap_or(0);
            card.number
                .extend(char::from_digit((last + rng.u32(1..10)) % 10, 10));
        }
        Code::CardNumberNoCheckDigit => {
            card.number = one_of(
                rng,
                &["6200000000000000", "62000000000001", "8100000000000001"],
            )
            .to_owned()
        }
        Code::ExpiryMonthRange => card.month = [0, 13, 99][rng.usize(..3)],
        Code::ExpiryYearRange => card.year = [1999, 2100, 20_310][rng.usize(..3)],
        Code::ExpiryYearTwoDigits => card.year = rng.u32(30..99),
        Code::SecurityCodeSyntax => card.code = one_of(rng, &["12", "12345", "12a", ""]).to_owned(),
        Code::PhoneNumberSyntax => {
            let phone = one_of(rng, &["123", "+7 900 000-00-00", "79000000000000000"]);
            body.set("pay_out_details", json!({"phone_number": phone}));
        }
        Code::IntegerRange => body.set("time_to_complete_payment", 0),
        Code::HostToHostWithoutCard => body.remove("pay_in_details"),
        Code::CardWithoutHostToHost => body.remove("host2host"),
        Code::RecipientIncomplete => {
            body.set("pay_out_details", json!({"full_name": "ANNA PETROVA"}))
        }
        Code::CardNumberInText => body.set("description", format!("Paid with {}", card.number)),
        _ => {}
    }
    let is_of_card = matches!(
        code,
        Code::CardNumberSyntax
            | Code::CardNumberChecksum
            | Code::CardNumberNoCheckDigit
            | Code::ExpiryMonthRange
            | Code::ExpiryYearRange
            | Code::ExpiryYearTwoDigits
            | Code::SecurityCodeSyntax
    );
    if is_of_card {
        body.set_json("pay_in_details", card.details(rng));
    }
    body
}

fn of_payment(engine: &Engine, code: Code, now: &str, rng: &mut Rng) -> Option<Draft> {
    let (mut body, request) = payment::random(engine, now, rng)?;
    match code {
        Code::FieldCurrency => {
            body.set("currency", "USDT");
            body.remove(one_of(rng, &["requested_amount", "requested_currency"]));
        }
        Code::StateInconsistent => {
            let (name, value) = [("paid_at", now), ("fail_by", "acquirer")][rng.usize(..2)];
            body.set(name, value);
        }
        Code::FailureUnexplained => body.set("state", "fail"),
        Code::UnmaskedCardNumber => body.set(
            "info",
            json!({"type": "card", "note": Card::random(rng).number}),
        ),
        Code::CurrencyWithdrawn => body.set(
            "requested_currency",
            one_of(rng, &["BGN", "HRK", "DEM", "LTL"]),
        ),
        Code::InfoType => body.set("info", "card"),
        Code::AmountIdentity => body.set("total", format!("{}.00", rng.u32(1..1000))),
        Code::AnswerMismatch => {
            body.set("merchant_id", format!("store-{}", rng.u32(1..100)));
            return Some(Draft {
                other: Some(("request", request.json())),
                ..Draft::payment(&body)
            });
        }
        _ => {}
    }
    Some(Draft::payment(&body))
}
