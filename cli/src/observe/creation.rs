//! Creation requests: the rules that the service applies, beside those of the library.

use payspec::{Code, Severity, Violation};
use serde_json::Value;

use super::case::Case;
use super::engine::ENGINE;
use super::secrets::HIDDEN;

/// A violation that the problem of a response lists.
struct Stated {
    code: Code,
    path: String,
    is_error: bool,
}

/// The violations of a request, without those that a mask of the recording causes.
struct Broken<'r>(Vec<&'r Violation>);

impl<'r> Broken<'r> {
    fn new(violations: &'r [Violation], json: &Value) -> Self {
        let is_real = |violation: &&Violation| !is_masked(violation.code(), violation.path(), json);
        Broken(violations.iter().filter(is_real).collect())
    }

    fn errors(&self) -> impl Iterator<Item = &'r Violation> {
        let violations = self.0.iter().copied();
        violations.filter(|violation| violation.severity() == Severity::Error)
    }

    fn is_valid(&self) -> bool {
        self.errors().next().is_none()
    }

    fn has(&self, code: Code) -> bool {
        self.0.iter().any(|violation| violation.code() == code)
    }

    fn find(&self, code: Code, path: &str) -> Option<&'r Violation> {
        let mut violations = self.0.iter().copied();
        violations.find(|known| known.code() == code && known.path() == path)
    }
}

/// Compares the rules with the answer to a creation.
pub(super) fn examine(case: &mut Case<'_>) {
    let report = ENGINE.validate_request(case.request(), case.exchange.started);
    let json: Value = serde_json::from_slice(case.request()).unwrap_or_default();
    let broken = Broken::new(report.violations(), &json);
    case.findings.requests += 1;
    case.findings.valid_requests += u64::from(broken.is_valid());
    match case.exchange.status {
        201 => accepted(case, &broken, &json),
        400 | 422 => rejected(case, &broken, &json),
        413 => {
            let limit = ENGINE.policy().limits.body_bytes;
            let is_over = case.request().len() as u64 > limit;
            case.decide("D14", is_over, "413 for a body within the limit");
        }
        _ => {}
    }
}

/// Returns the decision that a rule rests on; `None` if the specification states it.
fn decision(code: Code, path: &str, is_crypto: bool) -> Option<&'static str> {
    match (code, path) {
        (Code::Missing, "/subtype") if is_crypto => Some("D17"),
        (Code::Missing, "/subtype" | "/mode") => None,
        (Code::Missing, "/merchant_id") => Some("D28"),
        (Code::LegacyMember, "/system") => Some("D4"),
        (Code::LegacyMember, _) => Some("D16"),
        (Code::MerchantNotAllowed, _) => Some("D30"),
        (Code::JsonSyntax | Code::Type | Code::UnsupportedValue, _) => None,
        _ => match code.rule().source {
            "§2.2" | "§1.3" => Some("D6"),
            source => super::table::OBSERVABLE
                .iter()
                .map(|row| row.decision)
                .find(|known| *known == source),
        },
    }
}

/// Returns whether a value was masked before it was recorded, so that its rule shows nothing of
/// the service.
fn is_masked(code: Code, path: &str, json: &Value) -> bool {
    let is_card_data = matches!(
        code,
        Code::CardNumberSyntax | Code::CardNumberChecksum | Code::SecurityCodeSyntax
    );
    let value = json.pointer(path).and_then(Value::as_str);
    value.is_some_and(|value| value == HIDDEN || is_card_data && value.contains('*'))
}

fn is_crypto(json: &Value) -> bool {
    json["mode"] == "CRYPTO"
}

/// An accepted request breaks no rule that the service applies.
fn accepted(case: &mut Case<'_>, broken: &Broken<'_>, json: &Value) {
    for violation in &broken.0 {
        let (code, path) = (violation.code(), violation.path());
        case.findings.rule(code, false);
        let Some(decision) = decision(code, path, is_crypto(json)) else {
            continue;
        };
        let difference = format!("accepted in spite of {} at {}", code.name(), place(path));
        let is_warning = violation.severity() == Severity::Warning;
        case.decide(decision, is_warning, &difference);
    }
    let is_absent = |member: &str| json.get(member).is_none_or(Value::is_null);
    if is_absent("merchant_id") {
        case.confirm("D28");
    }
    if is_crypto(json) && json["payment_type"] == "pay_in" && is_absent("subtype") {
        case.confirm("D17");
    }
    let has_time = json
        .get("time_to_complete_payment")
        .is_some_and(Value::is_number);
    if has_time && !broken.has(Code::IntegerRange) {
        case.confirm("D15");
    }
}

/// A rejected request breaks a rule that the service applies. The problem may list its code.
fn rejected(case: &mut Case<'_>, broken: &Broken<'_>, json: &Value) {
    if broken.has(Code::JsonSyntax) {
        let is_400 = case.exchange.status == 400;
        return case.decide(
            "D12",
            is_400,
            "a body that is not JSON has another status than 400",
        );
    }
    if !json.is_object() {
        return;
    }
    let stated = stated(case.answer);
    if stated.is_empty() && broken.is_valid() {
        // The reason may be one of the account or of the order, or a value that is masked.
        case.findings.unexplained += 1;
        return;
    }
    let status = case.exchange.status;
    case.findings.invalid_status(status);
    case.decide("D12", status == 422, "an invalid body has the status 400");
    if stated.is_empty() {
        return without_reasons(case, broken, json);
    }
    for Stated {
        code,
        path,
        is_error,
    } in stated
    {
        if is_masked(code, &path, json) {
            continue;
        }
        let known = broken.find(code, &path);
        if !is_error {
            // Another rule rejected the request. This one is only a warning of the service.
            if let Some(known) = known {
                let is_same = known.severity() == Severity::Warning;
                case.findings.rule(code, false);
                match decision(code, &path, is_crypto(json)) {
                    Some(decision) if is_same => case.confirm(decision),
                    _ if is_same => {}
                    _ => contradict(case, code, &path, json, "only a warning of the service"),
                }
            }
            continue;
        }
        let is_error_here = known.is_some_and(|known| known.severity() == Severity::Error);
        if known.is_some() {
            case.findings.rule(code, true);
        }
        if is_error_here {
            if let Some(decision) = decision(code, &path, is_crypto(json)) {
                case.confirm(decision);
            }
            continue;
        }
        if code == Code::Missing && known.is_none() {
            case.findings.required(&path);
        }
        contradict(case, code, &path, json, "rejected");
    }
}

fn contradict(case: &mut Case<'_>, code: Code, path: &str, json: &Value, verb: &str) {
    match decision(code, path, is_crypto(json)) {
        // The caller decides which merchants a credential may name.
        Some("D30") | None => {}
        Some(decision) => {
            let difference = format!("{verb}: {} at {}", code.name(), place(path));
            case.contradict(decision, &difference);
        }
    }
}

/// Returns a path for people.
fn place(path: &str) -> &str {
    match path {
        "" => "the body",
        path => path,
    }
}

/// Confirms the decision of a rejection whose errors have one in common.
fn without_reasons(case: &mut Case<'_>, broken: &Broken<'_>, json: &Value) {
    let mut decisions: Vec<_> = broken
        .errors()
        .map(|violation| decision(violation.code(), violation.path(), is_crypto(json)))
        .collect();
    decisions.dedup();
    if let [Some(decision)] = decisions[..] {
        case.confirm(decision);
    }
}

/// Returns the violations that a problem lists, with the codes that the library knows.
fn stated(answer: &Value) -> Vec<Stated> {
    let violations = answer.get("violations").and_then(Value::as_array);
    violations
        .into_iter()
        .flatten()
        .filter_map(|violation| {
            let name = violation.get("code")?.as_str()?;
            Some(Stated {
                code: Code::ALL.iter().copied().find(|code| code.name() == name)?,
                path: violation.get("path")?.as_str()?.to_owned(),
                is_error: violation
                    .get("severity")
                    .is_none_or(|severity| severity == "error"),
            })
        })
        .collect()
}
