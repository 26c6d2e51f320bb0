//! `payspec validate --shadow`: the bodies that another policy decides in another way.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use payspec::{Code, Engine, PolicyChange, Shadow, Timestamp};

use super::unit::Unit;
use crate::engine::{LONGEST_BODY, body_limit};
use crate::failure::{Failure, Status};
use crate::input::{Blocks, LongLines, Origin};
use crate::output::Output;
use crate::page::Page;
use crate::pipeline;

/// Places of one rule that are listed.
const PLACES: usize = 20;
/// The width of the columns of changes and of rules.
const CHANGE: usize = 10;

/// The inputs, and how they are read.
pub(super) struct Inputs<'i> {
    pub(super) origins: Vec<Result<Origin, Failure>>,
    pub(super) is_jsonl: bool,
    pub(super) jobs: usize,
    pub(super) now: Option<Timestamp>,
    pub(super) engine: &'i Engine,
}

/// How often a rule rejects a body that the other policy accepts.
#[derive(Clone, Debug, Default)]
struct Count {
    bodies: u64,
    places: Vec<String>,
}

/// The differences of a run, or of a part of it.
#[derive(Clone, Debug, Default)]
struct Differences {
    bodies: u64,
    /// The bodies that are not a JSON object, which both policies reject.
    unreadable: u64,
    narrower: u64,
    wider: u64,
    rules: BTreeMap<(PolicyChange, Code), Count>,
    failures: u64,
}

impl Differences {
    fn compare(&mut self, inputs: &Inputs<'_>, shadow: &Shadow, unit: Unit<'_>) {
        self.bodies += 1;
        let Some(difference) = shadow.compare(unit.body, inputs.now) else {
            let engine = inputs.engine;
            let is_rejected = !engine.is_valid_request(unit.body, inputs.now);
            let is_unreadable = is_rejected && engine.fingerprint_request(unit.body).is_err();
            self.unreadable += u64::from(is_unreadable);
            return;
        };
        match difference.change {
            PolicyChange::Wider => self.wider += 1,
            _ => self.narrower += 1,
        }
        let place = match unit.line {
            Some(line) => format!("{}:{line}", unit.name),
            None => unit.name.to_owned(),
        };
        for rule in difference.rules {
            let count = self.rules.entry((difference.change, rule)).or_default();
            count.bodies += 1;
            if count.places.len() < PLACES {
                count.places.push(place.clone());
            }
        }
    }

    fn add(&mut self, other: &Differences) {
        self.bodies += other.bodies;
        self.unreadable += other.unreadable;
        self.narrower += other.narrower;
        self.wider += other.wider;
        for (key, other) in &other.rules {
            let count = self.rules.entry(*key).or_default();
            count.bodies += other.bodies;
            let left = PLACES.saturating_sub(count.places.len());
            count.places.extend(other.places.iter().take(left).cloned());
        }
    }

    fn status(&self) -> Status {
        match (self.failures, self.narrower + self.wider) {
            (1.., _) => Status::Failed,
            (0, 0) => Status::Accepted,
            (0, _) => Status::Rejected,
        }
    }

    fn page(&self) -> Page {
        let Differences {
            bodies,
            narrower,
            wider,
            ..
        } = self;
        let mut page = Page::new();
        page.title(&match (narrower + wider, bodies) {
            (0, 1) => "both policies decide the body in the same way".to_owned(),
            (0, _) => format!("both policies decide all {bodies} bodies in the same way"),
            _ => format!(
                "of {bodies} bodies, only the old policy accepts {narrower}, and only the new one {wider}"
            ),
        });
        if self.unreadable > 0 {
            let text = format!("not a JSON object: {}", self.unreadable);
            page.columns("rejected", CHANGE, &text);
        }
        for ((change, rule), count) in &self.rules {
            let text = format!("{}: {}", rule.name(), count.bodies);
            page.columns(change.name(), CHANGE, &text);
            let more = count.bodies - count.places.len() as u64;
            let more = (more > 0).then(|| format!(", and {more} more"));
            let places = count.places.join(", ") + &more.unwrap_or_default();
            page.columns("", CHANGE, &places);
        }
        page
    }
}

/// Compares the policy with the one in a file on all bodies, and prints the differences.
pub(super) fn run(inputs: Inputs<'_>, new: &Path, is_quiet: bool) -> Result<Status, Failure> {
    let origin = Origin::of(new);
    let new = Engine::from_json(&origin.read(LONGEST_BODY)?)
        .map_err(|error| Failure::new(format!("{}: {error}", origin.name())))?;
    let shadow = inputs.engine.shadow(&new);
    // Each policy reports a longer body after one more byte.
    let limit = body_limit(inputs.engine).max(body_limit(&new));
    let mut differences = Differences::default();
    for origin in &inputs.origins {
        let compared = match origin {
            Ok(origin) if inputs.is_jsonl || origin.is_lines() => {
                lines(&inputs, origin, &shadow, limit, &mut differences)
            }
            Ok(origin) => body(&inputs, origin, &shadow, limit, &mut differences),
            Err(failure) => Err(Failure::new(failure.to_string())),
        };
        if let Err(failure) = compared {
            failure.print();
            differences.failures += 1;
        }
    }
    // Without a request, equal decisions would be no evidence.
    if differences.bodies == differences.unreadable {
        let no_request = "no input is a JSON object, so nothing was compared; --jsonl reads one body from each line";
        return Err(Failure::new(no_request.to_owned()));
    }
    if !is_quiet {
        let mut out = Output::new();
        out.write_all(&differences.page().bytes())?;
        out.flush()?;
    }
    Ok(differences.status())
}

fn body(
    inputs: &Inputs<'_>,
    origin: &Origin,
    shadow: &Shadow,
    limit: usize,
    differences: &mut Differences,
) -> Result<(), Failure> {
    let body = origin.read(limit as u64 + 1)?;
    let unit = Unit {
        name: &origin.name(),
        line: None,
        body: &body,
    };
    differences.compare(inputs, shadow, unit);
    Ok(())
}

fn lines(
    inputs: &Inputs<'_>,
    origin: &Origin,
    shadow: &Shadow,
    limit: usize,
    differences: &mut Differences,
) -> Result<(), Failure> {
    let name = origin.name();
    pipeline::run(
        inputs.jobs,
        Blocks::new(origin.open()?, LongLines::Cut { limit }),
        |error| origin.failure(error),
        |block, found: &mut Differences| {
            *found = Differences::default();
            for (number, line) in block.lines() {
                let unit = Unit {
                    name: &name,
                    line: Some(number),
                    body: line,
                };
                found.compare(inputs, shadow, unit);
            }
        },
        |_, found| {
            differences.add(found);
            Ok(())
        },
    )
}
