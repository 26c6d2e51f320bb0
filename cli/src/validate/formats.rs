//! The formats of reports, and what they have in common.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use payspec::Engine;

use super::finding::Finding;
use super::pretty::Pretty;
use super::tally::Tally;
use super::unit::{Checked, Unit};
use super::{github, junit, machine, sarif};
use crate::failure::Failure;
use crate::output::{Output, is_colored};

/// The format of reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people: each violation with the marked part of the body
    #[default]
    Pretty,
    /// A JSON array with the report of each body
    Json,
    /// The report of each body as a line of JSON
    Jsonl,
    /// Annotations for GitHub Actions
    Github,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML, with a test case for each body
    Junit,
}

impl Format {
    pub(super) fn writer(self) -> Writer {
        match self {
            Format::Pretty => Writer::Pretty(Box::new(Pretty::new())),
            Format::Json => Writer::Json,
            Format::Jsonl => Writer::Jsonl,
            Format::Github => Writer::Github,
            Format::Sarif => Writer::Sarif,
            Format::Junit => Writer::Junit,
        }
    }
}

/// Writes reports. Threads write into buffers of their own, which are then joined in order.
pub(super) enum Writer {
    Pretty(Box<Pretty>),
    Json,
    Jsonl,
    Github,
    Sarif,
    Junit,
    /// Only the exit status counts.
    Quiet,
}

impl Writer {
    /// Returns the beginning of the output.
    pub(super) fn head(&self) -> Vec<u8> {
        match self {
            Writer::Json => b"[".into(),
            Writer::Sarif => sarif::head(),
            Writer::Junit => junit::HEAD.into(),
            Writer::Pretty(_) | Writer::Jsonl | Writer::Github | Writer::Quiet => Vec::new(),
        }
    }

    /// Appends the report of a body.
    pub(super) fn body(
        &self,
        engine: &Engine,
        unit: Unit<'_>,
        checked: Checked<'_>,
        findings: &[Finding],
        out: &mut Vec<u8>,
    ) {
        match self {
            Writer::Pretty(pretty) => pretty.write(engine, unit, findings, out),
            Writer::Json => {
                out.extend_from_slice(b",\n");
                machine::write(engine, unit, checked, findings, out);
            }
            Writer::Jsonl => {
                machine::write(engine, unit, checked, findings, out);
                out.push(b'\n');
            }
            Writer::Github => github::write(engine, unit, findings, out),
            Writer::Sarif => sarif::write(engine, unit, findings, out),
            Writer::Junit => junit::write(engine, unit, findings, out),
            Writer::Quiet => {}
        }
    }

    /// Writes the reports that a thread has appended. In the formats with a list, each report
    /// begins with a comma.
    pub(super) fn write(
        &self,
        text: &[u8],
        tally: &mut Tally,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let is_list = matches!(self, Writer::Json | Writer::Sarif);
        let text = if is_list && !tally.has_output {
            text.strip_prefix(b",").unwrap_or(text)
        } else {
            text
        };
        tally.has_output |= !text.is_empty();
        out.write_all(text)?;
        Ok(())
    }

    /// Writes the end of the output.
    pub(super) fn finish(&self, tally: &Tally, out: &mut Output) -> Result<(), Failure> {
        match self {
            Writer::Pretty(_) if tally.bodies > 0 => {
                let color = match tally {
                    Tally { invalid: 1.., .. } => AnsiColor::Red,
                    Tally { warnings: 1.., .. } => AnsiColor::Yellow,
                    _ => AnsiColor::Green,
                };
                let style = if is_colored() {
                    color.on_default().bold()
                } else {
                    Style::new()
                };
                if tally.errors + tally.warnings > 0 {
                    writeln!(
                        out,
                        "`payspec explain CODE` explains a rule, with an example."
                    )?;
                }
                writeln!(out, "{style}{tally}{style:#}")?;
            }
            Writer::Json => out.write_all(b"\n]\n")?,
            Writer::Sarif => out.write_all(sarif::TAIL.as_bytes())?,
            Writer::Junit => out.write_all(junit::TAIL.as_bytes())?,
            Writer::Pretty(_) | Writer::Jsonl | Writer::Github | Writer::Quiet => {}
        }
        Ok(())
    }
}
