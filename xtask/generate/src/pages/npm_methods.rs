//! The section on JavaScript of the page of methods, from the types of the npm package.

use super::markdown::{code, collapsed, one_line, table};
use super::npm_types::{Types, file, without_comments};
use super::snippets::camel;
use payspec::operations::OPERATIONS;

/// Methods or functions that the same entries have.
struct Group {
    title: &'static str,
    notes: &'static str,
    declared: Declared,
    /// The types that the pages of the operations do not show.
    types: &'static [&'static str],
}

/// The source of the signatures.
enum Declared {
    /// The members of classes and interfaces, each by the beginning of its declaration.
    In(&'static [&'static str]),
    /// The functions of a file of `wasm/types`.
    Functions(&'static str),
}

const GROUPS: [Group; 5] = [
    Group {
        title: "Methods of every engine",
        notes: "`payspec`, `payspec/slim`, and `payspec/checkout` have these methods: validation, cards, and rules. `free()` \
                frees the memory of an engine early, and so does the end of a block with `using engine = new Engine()`.",
        declared: Declared::In(&["class EngineBase {", "interface CheckoutOperations {"]),
        types: &["EngineOptions", "ValidateOptions", "TimestampInput", "Json"],
    },
    Group {
        title: "Methods of the engine with all operations",
        notes: "`payspec` and `payspec/slim` have these methods too, and `payspec/checkout` does not. `policy()` returns [the policy](policy.md) \
                with its default values. `batch` runs an operation with many bodies.",
        declared: Declared::In(&[
            "class Engine extends EngineBase {",
            "interface Batches {",
            "interface Operations extends CheckoutOperations {",
        ]),
        types: &["BatchOperation", "CheckOptions"],
    },
    Group {
        title: "Functions of `payspec/slim`",
        notes: "`init` is the default export. It loads the module, in a page by `fetch`; without a source, from `payspec.wasm` beside \
                the file. `initSync` loads it without waiting, from bytes or a compiled module. Before that, `new Engine()` throws a \
                `PayspecError` with the code `argument`. The other entries load nothing.",
        declared: Declared::Functions("slim.d.ts"),
        types: &["InitSource", "WasmBytes", "WasmModule"],
    },
    Group {
        title: "Functions of `payspec/card`",
        notes: "They need neither an engine nor WebAssembly. [Format card fields](../guides/card-fields.md) shows them.",
        declared: Declared::Functions("card.d.ts"),
        types: &[
            "FormattedText",
            "FormattedCardNumber",
            "Expiry",
            "CompleteExpiry",
            "ExpiryWithoutYear",
            "ExpiryWithoutMonth",
        ],
    },
    Group {
        title: "Functions of `payspec/messages/en` and `payspec/messages/ru`",
        notes: "[Show messages in a language](../guides/messages.md) shows them, and `messages`, the object with a function for each \
                code.",
        declared: Declared::Functions("messages.d.ts"),
        types: &["AllMessages"],
    },
];

/// Returns the section. Fails if a group is empty, or if an operation has no method.
pub(super) fn section() -> Result<String, String> {
    let types = Types::load()?;
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
    ];
    let mut text = format!(
        "## JavaScript\n\nA method takes and returns objects; the method with the suffix `Json` takes and returns JSON text. A \
         timestamp is a `Date` or a text. Without `now`, expired cards are not detected. The page of each operation has the types.\n\n{}\n",
        table(
            ["entry", "content"],
            entries.map(|row| row.map(str::to_owned))
        )
    );
    let mut methods = Vec::new();
    for group in &GROUPS {
        let signatures = group.signatures(&types)?;
        let declared: Result<Vec<&str>, String> = group
            .types
            .iter()
            .map(|name| types.declaration(name))
            .collect();
        text.push_str(&format!(
            "### {}\n\n{}\n\n{}\n{}\n",
            group.title,
            group.notes,
            code("ts", &signatures.join("\n")),
            collapsed("Types", "ts", &declared?.join("\n\n"))
        ));
        methods.extend(signatures);
    }
    for operation in OPERATIONS {
        for name in [camel(operation.name), camel(operation.name) + "Json"] {
            if !methods
                .iter()
                .any(|signature| name_of(signature) == Some(name.as_str()))
            {
                return Err(format!("wasm/types has no method {name}"));
            }
        }
    }
    let error = [
        types.declaration("PayspecError")?,
        types.declaration("PayspecErrorCode")?,
    ]
    .join("\n\n");
    text.push_str(&format!(
        "### Errors\n\nA caller error throws a `PayspecError`, and an unknown option a `TypeError`. Each entry has its own class \
         `PayspecError`: a program that uses several entries compares `error.name`.\n\n{}\n",
        code("ts", &error)
    ));
    Ok(text)
}

impl Group {
    fn signatures(&self, types: &Types) -> Result<Vec<String>, String> {
        let found = match &self.declared {
            Declared::Functions(name) => signatures(&file(name)?),
            Declared::In(heads) => {
                let bodies: Result<Vec<&str>, String> =
                    heads.iter().map(|head| types.body(head)).collect();
                bodies?.into_iter().flat_map(signatures).collect()
            }
        };
        if found.is_empty() {
            Err(format!("wasm/types has nothing for {:?}", self.title))
        } else {
            Ok(found)
        }
    }
}

/// Returns the signatures of the methods or functions in a text, each on one line.
fn signatures(text: &str) -> Vec<String> {
    let code = without_comments(text);
    let statements = code.split(";\n").map(|statement| {
        let statement = one_line(statement);
        let function = ["export declare function ", "export default function "];
        let named = function
            .iter()
            .find_map(|start| statement.split_once(start));
        // The end of another declaration may come before.
        named
            .map_or(statement.as_str(), |(_, signature)| signature)
            .to_owned()
    });
    let methods = statements.filter(|statement| name_of(statement).is_some());
    methods
        .map(|signature| signature.replace("constructor(", "new Engine("))
        .collect()
}

/// Returns the name at the beginning of a signature. Other statements have none.
fn name_of(signature: &str) -> Option<&str> {
    let (name, _) = signature.split_once(['(', '<'])?;
    let name = name.strip_prefix("new ").unwrap_or(name);
    name.chars()
        .all(|character| character.is_alphanumeric() || "[.]".contains(character))
        .then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_methods_and_functions() {
        let text = "  /** Throws (never); it */\n  constructor(policy?: Policy);\n\n  readonly code: Code;\n  batch<Name extends One>(\n    \
                    operation: Name,\n    ...context: Context<Name>\n  ): string[];\n\n  [Symbol.dispose](): void;\n";
        let expected = [
            "new Engine(policy?: Policy)",
            "batch<Name extends One>(operation: Name, ...context: Context<Name>): string[]",
            "[Symbol.dispose](): void",
        ];
        assert_eq!(signatures(text), expected);
        let text = "export interface Source {\n  readonly url: string;\n}\n\n/** Loads. */\nexport default function init(source?: Source): \
                    Promise<void>;\nexport declare const version: string;\n";
        assert_eq!(signatures(text), ["init(source?: Source): Promise<void>"]);
        assert_eq!(name_of("new Engine(policy?: Policy)"), Some("Engine"));
    }

    #[test]
    fn lists_the_methods_of_each_entry() {
        let types = Types::load().unwrap();
        let [every, all, slim, card, _] =
            GROUPS.map(|group| group.signatures(&types).unwrap().join("\n"));
        assert!(
            every.contains("\nfree(): void\n")
                && every.contains("\nrules(): Rules\n")
                && !every.contains("policy()"),
            "{every}"
        );
        assert!(
            all.starts_with("policy(): PolicyInForce\nbatch<")
                && all.contains("\nconvertJson(context: Json): string\n"),
            "{all}"
        );
        assert_eq!(slim.lines().count(), 2, "{slim}");
        assert_eq!(card.lines().count(), 5, "{card}");
    }
}
