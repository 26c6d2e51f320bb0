//! Reads recordings: HAR, and JSON Lines with an exchange each. Neither is kept in memory.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};

use super::entry::EntrySeed;
use super::exchange::Exchange;
use super::source::{Budget, Source, TOO_LARGE};
use crate::failure::Failure;
use crate::input::Origin;

/// The message of an input that is something else.
const EXPECTED: &str = "expected a HAR, or JSON Lines of objects with request and response; `payspec observe --help` shows one";

/// Reads all exchanges of an input, each with its place.
pub(super) fn read(origin: &Origin, mut sink: impl FnMut(&str, &Exchange)) -> Result<(), Failure> {
    let budget = Budget::default();
    let mut source = Source::new(origin.open()?, budget.clone());
    let name = origin.name();
    let mut count = 0_u64;
    while let Some(first) = source.peek().map_err(|error| origin.failure(&error))? {
        if first != b'{' {
            return Err(Failure::new(format!(
                "{name}: line {}: {EXPECTED}",
                source.line()
            )));
        }
        let line = source.line();
        let mut emit = |number: Option<u64>, exchange: &Exchange| {
            count += 1;
            match number {
                Some(number) => sink(&format!("{name}: entry {number}"), exchange),
                None => sink(&format!("{name}: line {line}"), exchange),
            }
        };
        let document = Document {
            seed: EntrySeed {
                budget: budget.clone(),
            },
            emit: &mut emit,
        };
        let mut json = serde_json::Deserializer::from_reader(&mut source);
        if let Err(error) = document.deserialize(&mut json) {
            let line = source.line();
            return Err(Failure::new(format!(
                "{name}: line {line}: {}",
                reason(&error, count)
            )));
        }
    }
    Ok(())
}

/// Returns the reason without values of the input.
fn reason(error: &serde_json::Error, count: u64) -> String {
    use serde_json::error::Category;
    let after = format!("after {}", plural(count, "complete exchange"));
    match error.classify() {
        Category::Eof => format!("the recording is truncated: it ends {after}"),
        Category::Io if error.to_string().contains(TOO_LARGE) => format!("{TOO_LARGE}, {after}"),
        Category::Io => format!("the recording cannot be read further, {after}"),
        Category::Syntax => format!("not JSON, {after}"),
        Category::Data => format!("{after}: {EXPECTED}"),
    }
}

/// Returns a count with the noun that it counts, in the singular or the plural.
pub(super) fn plural(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// Receives an exchange, with its number in a HAR.
type Emit<'e> = &'e mut dyn FnMut(Option<u64>, &Exchange);

/// Reads a HAR, or one line of a recording.
struct Document<'e> {
    seed: EntrySeed,
    emit: Emit<'e>,
}

impl<'de> DeserializeSeed<'de> for Document<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.seed.budget.begin();
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Document<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with log, or with request and response")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut exchange = Exchange::default();
        let (mut has_log, mut members) = (false, 0);
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "log" => {
                    has_log = true;
                    map.next_value_seed(Log {
                        seed: self.seed.clone(),
                        emit: &mut *self.emit,
                    })?;
                }
                name => {
                    members += u8::from(matches!(name, "request" | "response"));
                    self.seed.member(name, &mut exchange, &mut map)?;
                }
            }
        }
        match (has_log, members) {
            (true, _) => Ok(()),
            (false, 2) => {
                (self.emit)(None, &exchange);
                Ok(())
            }
            (false, _) => Err(A::Error::custom("no exchange")),
        }
    }
}

/// Reads the log of a HAR.
struct Log<'e> {
    seed: EntrySeed,
    emit: Emit<'e>,
}

impl<'de> DeserializeSeed<'de> for Log<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Log<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the log of a HAR")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut has_entries = false;
        while let Some(name) = map.next_key::<String>()? {
            if name == "entries" {
                has_entries = true;
                map.next_value_seed(Entries {
                    seed: self.seed.clone(),
                    emit: &mut *self.emit,
                })?;
            } else {
                self.seed.skip(&mut map)?;
            }
        }
        match has_entries {
            true => Ok(()),
            false => Err(A::Error::custom("no entries")),
        }
    }
}

/// Reads the entries of a HAR.
struct Entries<'e> {
    seed: EntrySeed,
    emit: Emit<'e>,
}

impl<'de> DeserializeSeed<'de> for Entries<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Entries<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the entries of a HAR")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let mut number = 0;
        while let Some(exchange) = list.next_element_seed(self.seed.clone())? {
            number += 1;
            (self.emit)(Some(number), &exchange);
        }
        Ok(())
    }
}
