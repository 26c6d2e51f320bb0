//! `payspec call`: any operation, with JSON in and JSON out.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use payspec::operations::{OPERATIONS, Operation};

use crate::engine::{LONGEST_BODY, PolicyOptions};
use crate::failure::{Failure, Status};
use crate::input::Origin;
use crate::output::Output;
use crate::suggest::{Names, unknown};

/// Run any operation of the library, and print its answer unchanged
///
/// Inputs that are JSON or text of a client are files, `-` is standard input. `payspec call`
/// without arguments lists the operations.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  payspec call\n  payspec call locate --body order.json --pointer /amount\n  payspec call check_idempotency --context context.json"
)]
pub(crate) struct Options {
    /// The name of the operation
    #[arg(value_name = "OPERATION", value_parser = Names(names), hide_possible_values = true)]
    operation: Option<String>,
    /// The body
    #[arg(long, value_name = "FILE")]
    body: Option<PathBuf>,
    /// The context
    #[arg(long, value_name = "FILE")]
    context: Option<PathBuf>,
    /// The request that a payment must match
    #[arg(long, value_name = "FILE")]
    request: Option<PathBuf>,
    /// The text
    #[arg(long, value_name = "FILE")]
    text: Option<PathBuf>,
    /// The current time, an RFC 3339 timestamp
    #[arg(long, value_name = "TIME")]
    now: Option<OsString>,
    /// The value of a header
    #[arg(long, value_name = "VALUE")]
    header: Option<OsString>,
    /// pay_in or pay_out
    #[arg(long, value_name = "KIND")]
    kind: Option<OsString>,
    /// The JSON Pointer
    #[arg(long, value_name = "POINTER")]
    pointer: Option<OsString>,
    /// The digits of a card number
    #[arg(long, value_name = "DIGITS")]
    digits: Option<OsString>,
    #[command(flatten)]
    policy: PolicyOptions,
}

pub(crate) fn run(options: &Options) -> Result<Status, Failure> {
    let mut out = Output::new();
    let Some(name) = &options.operation else {
        let width = OPERATIONS
            .iter()
            .map(|operation| operation.name.len())
            .max()
            .unwrap_or(0);
        for operation in OPERATIONS {
            writeln!(out, "{:<width$}  {}", operation.name, operation.summary)?;
            if !operation.inputs.is_empty() {
                writeln!(out, "{:<width$}  {}", "", flags(operation))?;
            }
        }
        out.flush()?;
        return Ok(Status::Accepted);
    };
    let operation = OPERATIONS.iter().find(|operation| operation.name == *name);
    let operation =
        operation.ok_or_else(|| unknown("operation", name, names().into_iter(), "payspec call"))?;
    let mut given = options.inputs()?;
    let inputs: Vec<Option<Vec<u8>>> = operation
        .inputs
        .iter()
        .map(|input| given.remove(input.name))
        .collect();
    if let Some(name) = given.keys().next() {
        let has = if operation.inputs.is_empty() {
            "no inputs".to_owned()
        } else {
            flags(operation)
        };
        return Err(Failure::new(format!(
            "--{name} is not an input of {}, which has {has}",
            operation.name
        )));
    }
    let inputs: Vec<Option<&[u8]>> = inputs.iter().map(Option::as_deref).collect();
    let mut answer = Vec::new();
    let engine = options.policy.engine()?;
    let called = operation.call(&engine, &inputs, Some(&mut answer));
    out.write_all(&answer)?;
    out.write_all(b"\n")?;
    out.flush()?;
    // The answer of a caller error is its JSON.
    Ok(called.map_or(Status::Failed, Status::from))
}

fn names() -> Vec<&'static str> {
    OPERATIONS.iter().map(|operation| operation.name).collect()
}

/// Returns the flags of an operation: `--body FILE [--now TIME]`.
fn flags(operation: &Operation) -> String {
    let flags = operation.inputs.iter().map(|input| {
        let flag = format!("--{} …", input.name);
        if input.required {
            flag
        } else {
            format!("[{flag}]")
        }
    });
    flags.collect::<Vec<_>>().join(" ")
}

impl Options {
    /// Returns the given inputs by name.
    fn inputs(&self) -> Result<BTreeMap<&'static str, Vec<u8>>, Failure> {
        let files = [
            ("body", &self.body),
            ("context", &self.context),
            ("request", &self.request),
            ("text", &self.text),
        ];
        let values = [
            ("now", &self.now),
            ("header", &self.header),
            ("kind", &self.kind),
            ("pointer", &self.pointer),
            ("digits", &self.digits),
        ];
        let mut inputs = BTreeMap::new();
        for (name, path) in files {
            if let Some(path) = path {
                inputs.insert(name, Origin::of(Path::new(path)).read(LONGEST_BODY)?);
            }
        }
        for (name, value) in values {
            if let Some(value) = value {
                inputs.insert(name, value.as_encoded_bytes().to_vec());
            }
        }
        Ok(inputs)
    }
}
