//! openapi: the interface as an OpenAPI 3.1 document, made of the tables that the rules run on.
//!
//! What a schema refuses, the engine refuses under the same policy; the other way round a schema cannot say everything
//! (Luhn, expiry, minor units, members named twice). Where the specification leaves something open, the decision that
//! fills the gap is cited by its number.

mod endpoints;
mod examples;
mod payment;
mod problem;
mod request;

use alloc::string::String;
use alloc::vec::Vec;

use crate::decisions::DECISIONS;
use crate::engine::Engine;
use crate::rules::{Code, Severity};
use crate::write::Writer;

const DESCRIPTION: &str = "\
The payment service creates pay-in (deposit) and pay-out (transfer out) payments, tells how they stand, and tells the \
partner's balance.

**Bodies.** All bodies are JSON in UTF-8 (`Content-Type: application/json`). Monetary amounts are decimal numbers in \
strings, so that no reader rounds them.

**Modes.** A payment runs in mode `P2P`, `ACQUIRING` or `CRYPTO`. In mode `CRYPTO` the client names an amount in a fiat \
currency and the service converts it to USDT; the processed amounts of the payment are then in USDT, while \
`requested_amount`, `client_amount` and `requested_currency` stay in the client's currency. Host-to-host mode \
(`host2host: true`) works in any of them: the client sends the card data itself, and the payment comes with `url` null \
and with `info`.

**Errors.** An error body is a problem of RFC 9457 with a `code` for programs. An invalid request lists everything that is \
wrong with it in `violations`, not the first fault alone.

**Notifications.** What is sent to the `callback` of a request, on which change, signed how and repeated how often, is not \
specified (D11): this document has no webhooks. The status endpoint tells how a payment stands.

**Limits.** Rate limits are not specified (D14).

**Versions.** Every path begins with the version, `/v1`. How long a version stays is not specified (D16).

**Open points.** Where the specification leaves something open, a number such as `D6` names the decision that fills the \
gap. `x-payspec-decisions` beside a schema cites those that concern it; at the end of this document it explains each.";

const TAGS: [(&str, &str); 2] =
    [("Payments", "Create payments and follow them."), ("Partner", "The partner's own account.")];

/// Appends the document for the engine's policy.
pub(crate) fn write(engine: &Engine, out: &mut Vec<u8>) {
    Writer::new(out).object(|w| {
        w.name("openapi").string("3.1.0");
        w.name("info").object(|w| {
            w.name("title").string("Payment Service Interface");
            w.name("summary").string("Pay-ins, pay-outs, their status, and the partner's balance.");
            w.name("description").string(DESCRIPTION);
            w.name("version").string("v1");
            w.name("x-payspec-version").string(env!("CARGO_PKG_VERSION"));
        });
        w.name("servers").array(|w| {
            w.object(|w| {
                w.name("url").string("{base_url}");
                w.name("description").string("The service's base address.");
                w.name("variables").object(|w| {
                    w.name("base_url").object(|w| {
                        w.name("default").string("https://localhost");
                        w.name("description").string("Base address of the service, without a slash at its end.");
                    });
                });
            });
        });
        w.name("tags").array(|w| {
            for (name, text) in TAGS {
                w.object(|w| {
                    w.name("name").string(name);
                    w.name("description").string(text);
                });
            }
        });
        w.name("security").array(|w| w.object(|w| w.name("bearer").raw("[]")));
        w.name("paths").object(|w| endpoints::write(engine, w));
        w.name("components").object(|w| {
            w.name("schemas").object(|w| {
                request::write(engine, w);
                payment::write(engine, w);
                problem::write(w);
            });
            endpoints::write_components(w);
        });
        w.name("x-payspec-decisions").object(|w| {
            for decision in &DECISIONS {
                w.name(decision.id).object(|w| {
                    w.name("source").string(decision.source);
                    w.name("open").string(decision.open);
                    w.name("decision").string(decision.decision);
                });
            }
        });
    });
}

/// Whether breaking the rule makes a body invalid.
fn is_error(engine: &Engine, code: Code) -> bool {
    engine.severity(code) == Severity::Error
}

/// Whether what breaks `code` is surely refused: the rules of a member stop at the first one told, so a mere warning of
/// a rule before it lets the rest pass.
fn is_refused(engine: &Engine, code: Code, before: &[Code]) -> bool {
    is_error(engine, code) && before.iter().all(|code| engine.severity(*code) != Severity::Warning)
}

/// The member `description`, and the decisions that stand behind it.
fn about(w: &mut Writer<'_>, text: &str, decisions: &[&str]) {
    w.name("description").string(text);
    if !decisions.is_empty() {
        w.name("x-payspec-decisions").strings(decisions.iter().copied());
    }
}

/// The member `type`; with null where nothing may stand for the value.
fn kind(w: &mut Writer<'_>, name: &str, nullable: bool) {
    if nullable {
        w.name("type").strings([name, "null"]);
    } else {
        w.name("type").string(name);
    }
}

/// The member `$ref` to a component of the kind.
fn refer(w: &mut Writer<'_>, kind: &str, name: &str) {
    w.name("$ref").plain(|out| {
        for part in ["#/components/", kind, "/", name] {
            out.extend_from_slice(part.as_bytes());
        }
    });
}

/// A reference to another schema; with null where nothing may stand for the value.
fn refer_to_schema(w: &mut Writer<'_>, name: &str, nullable: bool) {
    if nullable {
        w.name("anyOf").array(|w| {
            w.object(|w| refer(w, "schemas", name));
            w.object(|w| w.name("type").string("null"));
        });
    } else {
        refer(w, "schemas", name);
    }
}

/// A schema of listed words, each with its meaning.
fn words<'t>(
    w: &mut Writer<'_>,
    name: &str,
    intro: &str,
    decisions: &[&str],
    words: impl Iterator<Item = (&'t str, &'t str)> + Clone,
) {
    w.name(name).object(|w| {
        kind(w, "string", false);
        w.name("enum").strings(words.clone().map(|(word, _)| word));
        about(w, &listed(intro, words), decisions);
    });
}

/// A text with a list of words and their meanings below it.
fn listed<'t>(intro: &str, words: impl Iterator<Item = (&'t str, &'t str)>) -> String {
    let mut text = String::from(intro);
    text.push('\n');
    for (word, meaning) in words {
        for part in ["\n- `", word, "`: ", meaning] {
            text.push_str(part);
        }
    }
    text
}
