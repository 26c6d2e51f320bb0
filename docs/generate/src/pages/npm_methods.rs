//! The section of the page with methods that describes the npm package: its declarations, as in
//! `wasm/types`.

use super::markdown::{code, collapsed, table};
use crate::common::failed;
use payspec_tests::root;
use std::fs;

/// A title, notes, and files of `wasm/types`.
type Group = (&'static str, &'static str, &'static [&'static str]);

/// The groups of methods and functions.
const GROUPS: [Group; 7] = [
    (
        "Methods of every engine",
        "`payspec`, `payspec/slim`, and `payspec/checkout` have these methods: validation, cards, and rules. `free()` \
         frees the memory of an engine early, and so does the end of a block with `using engine = new Engine()`.",
        &["engine-base.d.ts", "checkout-operations.d.ts"],
    ),
    (
        "Methods of the engine with all operations",
        "`payspec` and `payspec/slim` have these methods too, and `payspec/checkout` does not. `policy()` returns [the policy](policy.md) \
         with its default values. `batch` runs an operation with many bodies.",
        &["engine.d.ts", "batch.d.ts", "operations.d.ts"],
    ),
    (
        "Functions of `payspec/slim`",
        "`init` is the default export. It loads the module, in a page by `fetch`; without a source, from `payspec.wasm` beside \
         the file. `initSync` loads it without waiting, from bytes or a compiled module. Before that, `new Engine()` throws a \
         `PayspecError` with the code `argument`. The other entries load nothing.",
        &["slim.d.ts"],
    ),
    (
        "Functions of `payspec/card`",
        "They need neither an engine nor WebAssembly. [Format card fields](../guides/card-fields.md) shows them.",
        &["card.d.ts"],
    ),
    (
        "Functions of `payspec/messages/en` and `payspec/messages/ru`",
        "[Show messages in a language](../guides/messages.md) shows them, and `messages`, the object with a function for each \
         code.",
        &["messages.d.ts"],
    ),
    (
        "Functions of `payspec/sandbox`",
        "In Node.js only; elsewhere, `createSandbox` rejects. [Test a merchant's integration](../start/merchant.md) shows it.",
        &["sandbox.d.ts"],
    ),
    (
        "Errors",
        "A caller error throws a `PayspecError`, and an unknown option a `TypeError`. Each entry has its own class \
         `PayspecError`: a program that uses several entries compares `error.name`.",
        &["common.d.ts"],
    ),
];

/// The types of inputs and answers, by subject.
const TYPES: [(&str, &str); 9] = [
    ("Requests", "request.d.ts"),
    ("Contexts", "contexts.d.ts"),
    ("Outcomes", "outcomes.d.ts"),
    ("Payments", "payment.d.ts"),
    ("Other answers", "answers.d.ts"),
    ("Reports and violations", "violations.d.ts"),
    ("The policy", "policy.d.ts"),
    ("Listed values and tables", "tables.d.ts"),
    ("Values", "values.d.ts"),
];

/// Returns the section.
pub(super) fn section() -> Result<String, String> {
    let entries = [
        ["`payspec`", "all methods of `Engine`"],
        [
            "`payspec/slim`",
            "all methods of `Engine`, after `await init()` or `initSync(bytes)`",
        ],
        [
            "`payspec/checkout`",
            "the methods of every engine: validation, cards, and rules",
        ],
        ["`payspec/card`", "functions for card fields"],
        [
            "`payspec/messages/en`, `payspec/messages/ru`",
            "messages of violations",
        ],
        ["`payspec/sandbox`", "`createSandbox`, for tests in Node.js"],
    ];
    let mut text = format!(
        "## JavaScript\n\nA method takes and returns objects; the method with the suffix `Json` takes and returns JSON text. A \
         timestamp is a `Date` or a text. Without `now`, expired cards are not detected.\n\n{}\n",
        table(
            ["entry", "content"],
            entries.map(|row| row.map(str::to_owned))
        )
    );
    for (title, notes, files) in GROUPS {
        let declared: Result<Vec<String>, String> = files.iter().map(|name| file(name)).collect();
        let declared = code("ts", &declared?.join("\n\n"));
        text.push_str(&format!("### {title}\n\n{notes}\n\n{declared}\n"));
    }
    text.push_str("### Types\n\n");
    for (subject, name) in TYPES {
        text.push_str(&collapsed(subject, "ts", &file(name)?));
    }
    Ok(text + "\n")
}

/// Returns the declarations of a file, without its imports.
fn file(name: &str) -> Result<String, String> {
    let path = root().join("wasm/types").join(name);
    let text = fs::read_to_string(&path).map_err(failed(&path))?;
    let paragraphs = text.trim().split("\n\n");
    let shown = paragraphs.filter(|paragraph| !paragraph.starts_with("import "));
    Ok(shown.collect::<Vec<_>>().join("\n\n"))
}
