//! Amounts, currencies, and the balance.

use payspec::{Code, Currency};

use crate::conform::check::{Verdict, any, check, each, status};
use crate::conform::facts::Facts;

const PROCESSED: [&str; 4] = ["amount", "total", "net_processed", "gross_amount"];

/// Compares two decimal texts by value.
pub(super) fn equal(one: &str, other: &str) -> bool {
    fn plain(text: &str) -> Option<(&str, &str)> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        (is_digits(whole) && is_digits(fraction)).then(|| {
            (
                whole.trim_start_matches('0'),
                fraction.trim_end_matches('0'),
            )
        })
    }
    plain(one).is_some() && plain(one) == plain(other)
}

pub(super) fn crypto_currency(facts: &Facts) -> Verdict {
    each(
        facts,
        |created| created.example.is_crypto(),
        |_, answer| {
            (answer.text("currency") != Some("USDT")).then(|| "another currency".to_owned())
        },
    )
}

pub(super) fn crypto_amounts(facts: &Facts) -> Verdict {
    each(
        facts,
        |created| created.example.is_crypto(),
        |created, answer| {
            let requested = created.example.text("amount");
            // No rate between a fiat currency of the examples and USDT is 1.
            let same: Vec<&str> = PROCESSED
                .into_iter()
                .filter(|member| {
                    answer
                        .text(member)
                        .is_some_and(|amount| equal(amount, requested))
                })
                .collect();
            (!same.is_empty()).then(|| format!("not converted: {}", same.join(", ")))
        },
    )
}

pub(super) fn crypto_scale(facts: &Facts) -> Verdict {
    let scale = facts.engine.policy().crypto.scale as usize;
    each(
        facts,
        |created| created.example.is_crypto(),
        |_, answer| {
            let amount = answer.text("amount")?;
            let digits = amount.split_once('.').map_or(0, |(_, digits)| digits.len());
            (digits != scale).then(|| format!("{digits} fraction digits, not {scale}"))
        },
    )
}

pub(super) fn crypto_requested(facts: &Facts) -> Verdict {
    each(
        facts,
        |created| created.example.is_crypto(),
        |created, answer| {
            let (amount, currency) = (created.example.text("amount"), created.example.text("cur"));
            let mut wrong = Vec::new();
            for member in ["requested_amount", "client_amount"] {
                // client_amount may be null.
                if answer.text(member).is_some_and(|text| !equal(text, amount)) {
                    wrong.push(member);
                }
            }
            if answer.text("requested_currency") != Some(currency) {
                wrong.push("requested_currency");
            }
            (!wrong.is_empty()).then(|| format!("not those of the request: {}", wrong.join(", ")))
        },
    )
}

pub(super) fn fiat_currency(facts: &Facts) -> Verdict {
    each(
        facts,
        |created| !created.example.is_crypto(),
        |created, answer| {
            let mut wrong = Vec::new();
            if answer.text("currency") != Some(created.example.text("cur")) {
                wrong.push("currency");
            }
            if !answer
                .text("amount")
                .is_some_and(|amount| equal(amount, created.example.text("amount")))
            {
                wrong.push("amount");
            }
            (!wrong.is_empty()).then(|| format!("not those of the request: {}", wrong.join(", ")))
        },
    )
}

pub(super) fn identities(facts: &Facts) -> Verdict {
    each(facts, any, |_, answer| {
        let report = facts.engine.check_payment(&answer.bytes, None);
        let found = report
            .violations()
            .iter()
            .find(|violation| violation.code() == Code::AmountIdentity);
        found.map(|violation| format!("{} does not follow from the others", violation.path()))
    })
}

pub(super) fn balance(facts: &Facts) -> Verdict {
    let answer = facts.balance.as_ref();
    check(answer.is_some_and(|answer| answer.status == 200), || {
        status(answer)
    })
}

pub(super) fn balance_currency(facts: &Facts) -> Verdict {
    let Some(answer) = facts.balance.as_ref().filter(|answer| answer.status == 200) else {
        return Verdict::Skipped("there is no balance".to_owned());
    };
    match answer.text("cur") {
        None => Verdict::Failed("without cur".to_owned()),
        Some(cur) => check(cur == "USDT" || cur.parse::<Currency>().is_ok(), || {
            "cur is not a currency".to_owned()
        }),
    }
}

pub(super) fn balance_legacy(facts: &Facts) -> Verdict {
    let Some(answer) = facts.balance.as_ref().filter(|answer| answer.status == 200) else {
        return Verdict::Skipped("there is no balance".to_owned());
    };
    check(answer.json.get("currency").is_none(), || {
        "it has the member currency, which is now cur".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::equal;

    #[test]
    fn amounts_are_equal_by_value() {
        for (one, other, same) in [
            ("1500.00", "1500", true),
            ("0.50", ".5", true),
            ("1500", "150", false),
            ("1500.10", "1500.1", true),
            ("1500", "-1500", false),
            ("x", "x", false),
        ] {
            assert_eq!(equal(one, other), same, "{one} {other}");
        }
    }
}
