//! The functions of SQL.

use crate::engines::Engines;
use crate::texts::Texts;
use duckdb::Connection;
use duckdb::core::{DataChunkHandle, FlatVector, Inserter, LogicalTypeId};
use duckdb::vscalar::{ScalarFunctionSignature, VScalar};
use duckdb::vtab::arrow::WritableVector;
use payspec::Engine;
use payspec::operations::{Operation, Verdict, operation};
use std::error::Error;
use std::sync::Arc;

/// What a function returns for a body.
#[derive(Clone, Copy)]
enum Returned {
    /// Whether the operation accepts the body.
    Verdict,
    /// The answer of the operation, as JSON.
    Answer,
    /// The fingerprint; NULL if the body has none.
    Fingerprint,
}

/// One function of SQL. Its parameters are the body, the policy, and the time; all but the body are
/// optional.
struct SqlFunction {
    name: &'static str,
    operation: &'static str,
    returned: Returned,
    /// The number of parameters.
    parameters: usize,
}

const FUNCTIONS: [SqlFunction; 6] = [
    SqlFunction { name: "is_valid", operation: "validate_request", returned: Returned::Verdict, parameters: 3 },
    SqlFunction { name: "report", operation: "validate_request", returned: Returned::Answer, parameters: 3 },
    SqlFunction { name: "redact", operation: "redact", returned: Returned::Answer, parameters: 2 },
    SqlFunction {
        name: "fingerprint",
        operation: "fingerprint_request",
        returned: Returned::Fingerprint,
        parameters: 2,
    },
    SqlFunction { name: "migrate_payment", operation: "upgrade_payment", returned: Returned::Answer, parameters: 2 },
    SqlFunction {
        name: "downgrade_payment",
        operation: "downgrade_payment",
        returned: Returned::Answer,
        parameters: 2,
    },
];

/// Adds the functions to a database.
pub(crate) fn register(connection: &Connection) -> duckdb::Result<()> {
    macro_rules! register {
        ($($index:literal)+) => {
            const _: () = assert!([$($index),+].len() == FUNCTIONS.len());
            $(Function::<$index>::register(connection)?;)+
        };
    }
    register!(0 1 2 3 4 5);
    Ok(())
}

/// A function of the table, by its index. A type, since DuckDB calls a function without data of its
/// own.
struct Function<const INDEX: usize>;

impl<const INDEX: usize> Function<INDEX> {
    const SQL: &SqlFunction = &FUNCTIONS[INDEX];

    fn register(connection: &Connection) -> duckdb::Result<()> {
        connection.register_scalar_function::<Self>(&format!("payspec_{}", Self::SQL.name))
    }
}

impl<const INDEX: usize> VScalar for Function<INDEX> {
    type State = Engines;

    fn signatures() -> Vec<ScalarFunctionSignature> {
        let returned = match Self::SQL.returned {
            Returned::Verdict => LogicalTypeId::Boolean,
            Returned::Answer | Returned::Fingerprint => LogicalTypeId::Varchar,
        };
        let parameters = |count| std::iter::repeat_with(|| LogicalTypeId::Varchar.into()).take(count).collect();
        (1..=Self::SQL.parameters)
            .map(|count| ScalarFunctionSignature::exact(parameters(count), returned.into()))
            .collect()
    }

    fn invoke(
        engines: &Engines,
        chunk: &mut DataChunkHandle,
        results: &mut dyn WritableVector,
    ) -> Result<(), Box<dyn Error>> {
        let operation = operation(Self::SQL.operation).ok_or("no such operation")?;
        let rows = Rows::new(engines, chunk)?;
        let mut results = results.flat_vector();
        match Self::SQL.returned {
            Returned::Verdict => verdicts(operation, rows, &mut results),
            Returned::Answer => answers(operation, rows, &mut results),
            Returned::Fingerprint => fingerprints(rows, &mut results),
        }
    }
}

/// Writes whether the operation accepts each body.
fn verdicts(operation: &Operation, mut rows: Rows<'_>, results: &mut FlatVector<'_>) -> Result<(), Box<dyn Error>> {
    let mut verdicts = vec![false; rows.count];
    let mut nulls = Vec::new();
    for (row, verdict) in verdicts.iter_mut().enumerate() {
        match rows.get(row)? {
            None => nulls.push(row),
            Some(inputs) => *verdict = inputs.call(operation, None)? == Verdict::Accepted,
        }
    }
    // SAFETY: the signature returns BOOLEAN, which DuckDB stores as `bool`, and no other value
    // refers to the results.
    unsafe { results.copy(&verdicts) };
    nulls.into_iter().for_each(|row| results.set_null(row));
    Ok(())
}

/// Writes the answer of the operation for each body.
fn answers(operation: &Operation, mut rows: Rows<'_>, results: &mut FlatVector<'_>) -> Result<(), Box<dyn Error>> {
    let mut answer = Vec::new();
    for row in 0..rows.count {
        match rows.get(row)? {
            None => results.set_null(row),
            Some(inputs) => {
                inputs.call(operation, Some(&mut answer))?;
                results.insert(row, &answer);
            }
        }
    }
    Ok(())
}

/// Writes the fingerprint of each body that has one.
fn fingerprints(mut rows: Rows<'_>, results: &mut FlatVector<'_>) -> Result<(), Box<dyn Error>> {
    for row in 0..rows.count {
        let inputs = rows.get(row)?;
        match inputs.and_then(|inputs| inputs.engine.fingerprint_request(inputs.body).ok()) {
            None => results.set_null(row),
            Some(fingerprint) => results.insert(row, fingerprint.as_str()),
        }
    }
    Ok(())
}

/// The rows of a chunk.
struct Rows<'a> {
    bodies: Texts<'a>,
    policies: Option<Texts<'a>>,
    times: Option<Texts<'a>>,
    count: usize,
    engines: &'a Engines,
    /// The policy of the last row and its engine, which is usually that of all rows.
    last: (Vec<u8>, Arc<Engine>),
}

/// The arguments in one row.
struct Inputs<'r> {
    engine: &'r Engine,
    body: &'r [u8],
    now: Option<&'r [u8]>,
}

impl Inputs<'_> {
    /// Runs an operation whose inputs are the body and possibly the time.
    fn call(&self, operation: &Operation, out: Option<&mut Vec<u8>>) -> Result<Verdict, payspec::Error> {
        let inputs = [Some(self.body), self.now];
        operation.call(self.engine, inputs.get(..operation.inputs.len()).unwrap_or(&inputs), out)
    }
}

impl<'a> Rows<'a> {
    fn new(engines: &'a Engines, chunk: &'a DataChunkHandle) -> Result<Rows<'a>, Box<dyn Error>> {
        Ok(Rows {
            bodies: Texts::of(chunk, 0).ok_or("expected a body")?,
            policies: Texts::of(chunk, 1),
            times: Texts::of(chunk, 2),
            count: chunk.len(),
            engines,
            last: (b"{}".to_vec(), engines.of(b"{}")?),
        })
    }

    /// Returns the arguments in a row; `None` if one of them is NULL.
    fn get(&mut self, row: usize) -> Result<Option<Inputs<'_>>, payspec::Error> {
        let now = match &mut self.times {
            None => None,
            Some(times) => match times.get(row) {
                None => return Ok(None),
                now => now,
            },
        };
        if let Some(policies) = &mut self.policies {
            match policies.get(row) {
                None => return Ok(None),
                Some(policy) if policy == self.last.0 => {}
                Some(policy) => self.last = (policy.to_vec(), self.engines.of(policy)?),
            }
        }
        let engine = &self.last.1;
        Ok(self.bodies.get(row).map(|body| Inputs { engine, body, now }))
    }
}
