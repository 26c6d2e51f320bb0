//! The pages of the operations: inputs, outputs, errors, and a call in each language. Calls and
//! answers are vectors.

use super::c_api;
use super::examples::EXAMPLES;
use super::markdown::{code, collapsed, json, table, tabs};
use super::snippets::{self, Call};
use crate::common::Page;
use payspec::operations::{OPERATIONS, Operation};
use payspec_tests::vector::{self, Vector};

/// An operation with its vectors.
pub(super) struct Shown {
    operation: &'static Operation,
    accepted: Vector,
    rejected: Option<Vector>,
}

impl Shown {
    /// Returns the calls, each with its answer.
    pub(super) fn calls(&self) -> Vec<(Call<'_>, &str)> {
        std::iter::once(&self.accepted)
            .chain(&self.rejected)
            .map(|vector| self.call(vector))
            .collect()
    }

    fn call<'v>(&self, vector: &'v Vector) -> (Call<'v>, &'v str) {
        let inputs = vector.inputs.iter().map(|input| {
            input
                .as_ref()
                .and_then(|bytes| str::from_utf8(&bytes.bytes).ok())
        });
        let mut inputs: Vec<_> = inputs.collect();
        while inputs.last().is_some_and(Option::is_none) {
            inputs.pop();
        }
        let call = Call {
            operation: self.operation,
            policy: vector.policy.as_deref(),
            inputs,
        };
        (call, vector.answer.as_deref().unwrap_or_default())
    }
}

/// Returns all operations with their vectors. Fails if one has no example, or if a vector does not
/// exist.
pub(super) fn shown() -> Result<Vec<Shown>, String> {
    let mut vectors: Vec<Vector> = vector::load()?
        .into_iter()
        .flat_map(|file| file.vectors)
        .collect();
    let mut take = |name: &str| {
        let at = vectors.iter().position(|vector| vector.name == name);
        at.map(|at| vectors.swap_remove(at))
            .ok_or_else(|| format!("there is no vector {name:?}"))
    };
    OPERATIONS
        .iter()
        .map(|operation| {
            let example = EXAMPLES
                .iter()
                .find(|example| example.operation == operation.name);
            let example = example.ok_or_else(|| {
                format!(
                    "{} has no example in docs/generate/src/pages",
                    operation.name
                )
            })?;
            let named = |name: &str| format!("{}/{name}", operation.name);
            let rejected = match example.rejected {
                "" => None,
                name => Some(take(&named(name))?),
            };
            Ok(Shown {
                operation,
                accepted: take(&named(example.accepted))?,
                rejected,
            })
        })
        .collect()
}

pub(super) fn pages() -> Result<Vec<Page>, String> {
    let declarations = c_api::declarations()?;
    let mut pages = vec![index()];
    for shown in shown()? {
        pages.push(page(&shown, &declarations)?);
    }
    Ok(pages)
}

fn index() -> Page {
    let rows = OPERATIONS.iter().map(|operation| {
        let inputs = operation.inputs.iter();
        let inputs =
            inputs.map(|input| format!("{}{}", input.name, if input.required { "" } else { "?" }));
        [
            format!("[`{0}`]({0}.md)", operation.name),
            inputs.collect::<Vec<_>>().join(", "),
            operation.summary.to_owned(),
        ]
    });
    let text = format!(
        "# Operations\n\nAn operation takes bytes and returns bytes, which are the same in every language. A *body* comes \
         from the client: any content has a defined result. A *context* is JSON supplied by the caller: any defect in it \
         is a caller error. `?` marks optional inputs.\n\n{}\n[How operations are called](../calling.md) describes \
         contexts, outcomes, and errors in detail.\n",
        table(["operation", "inputs", "result"], rows)
    );
    Page {
        path: "reference/operations/index.md".to_owned(),
        title: "Operations".to_owned(),
        text,
    }
}

fn page(shown: &Shown, declarations: &[c_api::Declaration]) -> Result<Page, String> {
    let operation = shown.operation;
    let name = operation.name;
    let mut text = format!("# {name}\n\n{}\n\n", operation.summary);
    if operation.inputs.is_empty() {
        text.push_str("It has no inputs.\n\n");
    } else {
        let function = format!("payspec_{name}");
        let declaration = declarations
            .iter()
            .find(|declaration| declaration.name == function);
        let declaration = declaration.ok_or_else(|| format!("the header has no {function}"))?;
        let comment = declaration.markdown();
        let meaning = |input: &str| {
            let line = comment
                .lines()
                .find_map(|line| line.strip_prefix(&format!("- `{input}`: ")));
            let line = line.unwrap_or_default();
            line.replace("pass NULL, 0", "pass null or nothing (in C: NULL, 0)")
        };
        let rows = operation.inputs.iter().map(|input| {
            [
                format!("`{}`", input.name),
                if input.required { "yes" } else { "no" }.to_owned(),
                meaning(input.name),
            ]
        });
        text.push_str(&format!(
            "{}\n",
            table(["input", "required", "meaning"], rows)
        ));
        let results: Vec<&str> = comment
            .lines()
            .filter(|line| line.starts_with("- `PAYSPEC_"))
            .collect();
        text.push_str(
            "## Results and errors\n\nThe return codes are those of the C API. Other languages return the same \
                       answers; a negative code is an `Err` or an exception.\n\n",
        );
        text.push_str(&format!("{}\n\n", results.join("\n")));
    }
    text.push_str(
        "## Example\n\nEach program prints the exact JSON text of the answer. For values of a language, such as arrays in PHP, \
         call [the typed method](../calling.md#inputs-and-results).\n\n",
    );
    let (call, answer) = shown.call(&shown.accepted);
    text.push_str(&tabs(&snippets::all(&call)));
    text.push_str(&format!("\nThe answer:\n\n{}\n", shortened(answer)));
    if let Some(rejected) = &shown.rejected {
        let (call, answer) = shown.call(rejected);
        text.push_str("## A rejected call\n\n");
        for (input, given) in operation.inputs.iter().zip(&call.inputs) {
            if let Some(given) = given {
                text.push_str(&format!("`{}`:\n\n{}\n", input.name, block(given)));
            }
        }
        text.push_str(&format!("The answer:\n\n{}\n", shortened(answer)));
    }
    text.push_str(&types_of(name));
    text.push_str(&format!(
        "The C function is [`payspec_{name}`](../c-api.md#payspec_{name}).\n"
    ));
    Ok(Page {
        path: format!("reference/operations/{name}.md"),
        title: name.to_owned(),
        text,
    })
}

/// Returns the section on types: links to those of the npm package, and to the tables of members.
fn types_of(operation: &str) -> String {
    let mut text = "## Types\n\nThe JSON is the same in all languages. [The types of the npm package](../methods.md#types) describe \
                    inputs and answers.\n\n"
        .to_owned();
    for (operations, title, anchor) in FIELD_TABLES {
        if operations.contains(&operation) {
            text.push_str(&format!(
                "Each member of {title} has its type and meaning in [a table](../http.md#{anchor}).\n\n"
            ));
        }
    }
    text
}

/// Operations whose members have a table on the page of the HTTP interface.
const FIELD_TABLES: &[(&[&str], &str, &str)] = &[
    (
        &["validate_request", "create_payment"],
        "the creation request",
        "paymentcreaterequest",
    ),
    (
        &[
            "create_payment",
            "read_payment",
            "check_payment",
            "advance_payment",
        ],
        "the payment",
        "payment",
    ),
];

fn block(text: &str) -> String {
    let shown = json(text);
    code(
        if shown.starts_with(['{', '[']) {
            "json"
        } else {
            "text"
        },
        &shown,
    )
}

/// Returns an answer as a block, which is collapsed if it is long.
fn shortened(answer: &str) -> String {
    let text = json(answer);
    if text.lines().count() <= 60 {
        return block(answer);
    }
    let summary = format!("{} bytes of JSON", answer.len());
    // The catalogues and the document are very long: their pages show the beginning.
    if answer.len() > 20_000 {
        let beginning: String = text.lines().take(60).collect::<Vec<_>>().join("\n");
        return collapsed(
            &format!("{summary}, the first 60 lines"),
            "text",
            &format!("{beginning}\n…"),
        );
    }
    collapsed(&summary, "json", &text)
}
