//! The members that each rule applies to, found by calls: each value that breaks the rule in a
//! vector is put at each member of valid bodies.

use payspec::Engine;
use payspec::operations::operation;
use payspec_tests::json::Json;
use payspec_tests::tree;
use payspec_tests::vector::{self, Vector};
use std::collections::{BTreeMap, BTreeSet};

/// The operations whose answers list violations, and the name of their body.
const OPERATIONS: [(&str, &str); 3] = [
    ("validate_request", "request"),
    ("create_payment", "request"),
    ("check_payment", "payment"),
];

/// Rules whose members cannot be listed.
const ANY: [(&str, &str); 4] = [
    ("type", "each member of the interface"),
    ("missing", "each required member"),
    ("duplicate_member", "each member"),
    (
        "unknown_member",
        "each member that the interface does not have",
    ),
];

/// A value that breaks a rule, tried with the other inputs of its vector. More values find no
/// further members.
const MOST_VALUES: usize = 3;

/// The paths by rule and body.
pub(super) struct Paths(BTreeMap<(String, &'static str), BTreeSet<String>>);

/// A value that breaks a rule.
struct Probe<'v> {
    code: String,
    value: Json,
    vector: &'v Vector,
}

impl Paths {
    pub(super) fn load() -> Result<Paths, String> {
        let mut paths = Paths(BTreeMap::new());
        let files = vector::load()?;
        for (name, body) in OPERATIONS {
            let vectors: Vec<&Vector> = files
                .iter()
                .filter(|file| file.operation == name)
                .flat_map(|file| &file.vectors)
                .collect();
            let mut probes: Vec<Probe> = Vec::new();
            for vector in &vectors {
                let given = body_of(vector);
                for (code, path) in vector
                    .answer
                    .iter()
                    .flat_map(|answer| violations(answer.as_bytes()))
                {
                    let value = given.as_ref().and_then(|given| at(given, &path));
                    let known = probes.iter().filter(|probe| probe.code == code);
                    if let Some(value) = value.filter(|_| known.count() < MOST_VALUES) {
                        probes.push(Probe {
                            code: code.clone(),
                            value,
                            vector,
                        });
                    }
                    paths.insert(code, body, &path);
                }
            }
            let bodies = various(&vectors);
            for probe in &probes {
                paths.probe(name, body, probe, &bodies)?;
            }
        }
        Ok(paths)
    }

    fn insert(&mut self, code: String, body: &'static str, path: &str) {
        self.0
            .entry((code, body))
            .or_default()
            .insert(pattern(path));
    }

    /// Puts the value at each member of the bodies, and adds the members at which the rule reports
    /// it.
    fn probe(
        &mut self,
        name: &str,
        body: &'static str,
        probe: &Probe,
        bodies: &[(Json, Vec<String>)],
    ) -> Result<(), String> {
        let engine = probe
            .vector
            .policy
            .as_deref()
            .map_or_else(|| Ok(Engine::default()), Engine::from_json);
        let engine = engine.map_err(|error| error.to_string())?;
        let operation = operation(name).ok_or_else(|| format!("there is no operation {name}"))?;
        let others = probe.vector.inputs.iter().skip(1);
        let others: Vec<Option<&[u8]>> = others
            .map(|input| input.as_ref().map(|input| &*input.bytes))
            .collect();
        let mut answer = Vec::new();
        for (given, members) in bodies {
            // The root is not a member.
            for (number, path) in members.iter().enumerate().skip(1) {
                let mut changed = given.clone();
                *tree::value_at(&mut changed, number).ok_or("a path without a value")? =
                    probe.value.clone();
                let text = changed.compact();
                let inputs: Vec<Option<&[u8]>> = std::iter::once(Some(text.as_bytes()))
                    .chain(others.iter().copied())
                    .collect();
                operation
                    .call(&engine, &inputs, Some(&mut answer))
                    .map_err(|error| error.to_string())?;
                if violations(&answer).any(|found| found == (probe.code.clone(), path.clone())) {
                    self.insert(probe.code.clone(), body, path);
                }
            }
        }
        Ok(())
    }

    /// Returns the members as Markdown. Fails if the rule has none.
    pub(super) fn of(&self, code: &str) -> Result<String, String> {
        if let Some((_, members)) = ANY.iter().find(|(known, _)| *known == code) {
            return Ok((*members).to_owned());
        }
        let lists: Vec<String> = ["request", "payment"]
            .iter()
            .filter_map(|body| {
                let paths = self.0.get(&(code.to_owned(), *body))?;
                let written = paths.iter().map(|path| match path.as_str() {
                    "" => "the whole body".to_owned(),
                    path => format!("`{path}`"),
                });
                let paths: Vec<String> = written.collect();
                Some(format!("in a {body}: {}", paths.join(", ")))
            })
            .collect();
        if lists.is_empty() {
            Err(format!("no vector breaks the rule {code}"))
        } else {
            Ok(lists.join("; "))
        }
    }
}

fn body_of(vector: &Vector) -> Option<Json> {
    Json::parse(&vector.inputs.first()?.as_ref()?.bytes).ok()
}

/// Returns code and path of each violation in an answer.
fn violations(answer: &[u8]) -> impl Iterator<Item = (String, String)> {
    let answer = Json::parse(answer).unwrap_or(Json::Null);
    let list = answer
        .get("violations")
        .or_else(|| answer.get("body")?.get("violations"))
        .or_else(|| answer.get("warnings"));
    let list = list.map_or(&[][..], Json::elements).to_vec();
    list.into_iter().filter_map(|violation| {
        let text = |name: &str| {
            violation
                .get(name)
                .and_then(Json::as_str)
                .map(str::to_owned)
        };
        Some((text("code")?, text("path")?))
    })
}

/// Returns bodies of accepted calls that together have all members, each with the paths of its
/// members.
fn various(vectors: &[&Vector]) -> Vec<(Json, Vec<String>)> {
    let accepted = vectors
        .iter()
        .filter(|vector| vector.returns == 0 && vector.policy.is_none());
    let mut bodies: Vec<(Json, Vec<String>)> = accepted
        .filter_map(|vector| {
            let body = body_of(vector)?;
            let paths = tree::pointers(&body);
            Some((body, paths))
        })
        .collect();
    bodies.sort_by_key(|(_, paths)| std::cmp::Reverse(paths.len()));
    let mut seen = BTreeSet::new();
    bodies.retain(|(_, paths)| {
        paths
            .iter()
            .filter(|path| seen.insert((*path).clone()))
            .count()
            > 0
    });
    bodies
}

/// Returns a copy of the value at a path.
fn at(json: &Json, path: &str) -> Option<Json> {
    let number = tree::pointers(json)
        .iter()
        .position(|pointer| pointer == path)?;
    tree::value_at(&mut json.clone(), number).cloned()
}

/// Returns a path with a star for each index, and for what is in the free-form `info`.
fn pattern(path: &str) -> String {
    if path.starts_with("/info/") {
        return "/info/*".to_owned();
    }
    let is_index = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    path.split('/')
        .map(|name| if is_index(name) { "*" } else { name })
        .collect::<Vec<_>>()
        .join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use payspec::RULES;

    #[test]
    fn lists_the_members_of_each_rule() {
        let paths = Paths::load().unwrap();
        let cards =
            "in a request: `/pay_in_details/card/card_number`, `/pay_out_details/card_number`";
        assert_eq!(paths.of("card_number_checksum").unwrap(), cards);
        assert_eq!(paths.of("card_number_syntax").unwrap(), cards);
        // No vector has an invalid commission, only an invalid amount.
        assert!(paths.of("amount_syntax").unwrap().contains("`/commission`"));
        assert_eq!(
            paths.of("json_syntax").unwrap(),
            "in a request: the whole body; in a payment: the whole body"
        );
        assert!(RULES.iter().all(|rule| paths.of(rule.name).is_ok()));
        assert!(paths.of("no_rule").is_err());
    }
}
