//! The page of the methods in JavaScript, Python, PHP, Go, and Java, from the sources of their
//! packages.

use super::markdown::{code, one_line};
use super::npm_methods;
use crate::common::{Page, failed};
use payspec::operations::OPERATIONS;
use payspec_tests::root;
use std::fs;

/// A package, and how to read its methods.
struct Package {
    language: &'static str,
    highlighting: &'static str,
    files: &'static [&'static str],
    /// The text before each signature, and the texts of which the first ends it.
    start: &'static str,
    ends: &'static [&'static str],
    /// Parts of a signature that a caller does not see, and what replaces them.
    replaced: &'static [(&'static str, &'static str)],
    /// Whether several methods may have the same name.
    overloads: bool,
    /// Methods besides those of the operations.
    others: &'static [&'static str],
    notes: &'static str,
}

const PACKAGES: [Package; 4] = [
    Package {
        language: "Python",
        highlighting: "python",
        files: &[
            "bindings/python/payspec/_engine.py",
            "bindings/python/payspec/_json_engine.py",
        ],
        start: "\n    def ",
        ends: &[":\n"],
        replaced: &[
            ("(self, ", "("),
            ("(self)", "()"),
            ("__init__(", "Engine("),
            (") -> None", ")"),
        ],
        overloads: false,
        others: &["__init__", "close", "accepts", "answer", "batch", "answers"],
        notes: "`with Engine() as engine` frees the engine. Reports are dictionaries. `Text` is `bytes` or `str`, \
                `Body` also a mapping, and `Shared` also a `datetime`. Without `now`, expired cards are not \
                detected; it is a `datetime` or a text. A caller error raises `payspec.PayspecError` with `code`, `path`, \
                and `message`; a missing library raises `ImportError`.",
    },
    Package {
        language: "PHP",
        highlighting: "php",
        files: &["bindings/php/src/Engine.php"],
        start: "public function ",
        ends: &["\n    {", " {\n"],
        replaced: &[
            ("#[\\SensitiveParameter] ", ""),
            ("__construct(", "new Engine("),
        ],
        overloads: false,
        others: &["__construct", "close", "accepts", "call", "batch"],
        notes: "The class is `Payspec\\Engine`. Reports are arrays. Without `$now`, expired cards are not detected; it is a \
                `DateTimeInterface` or a text. A caller error throws `Payspec\\PayspecException` with `kind`, `path`, and \
                `detail`; its kind is `library` if the library cannot be loaded.",
    },
    Package {
        language: "Go",
        highlighting: "go",
        files: &["bindings/go/operations.go", "bindings/go/payspec.go"],
        start: "\nfunc (e *Engine) ",
        ends: &[" {\n", " { return"],
        replaced: &[],
        overloads: false,
        others: &["Close", "Accepts", "Call", "Batch"],
        notes: "`payspec.New(policy)` returns the engine. With `time.Time{}` as `now`, expired cards are not detected. A \
                caller error is a `*payspec.Error` with `Code`, `Path`, and `Message`, which `errors.As` finds.",
    },
    Package {
        language: "Java",
        highlighting: "java",
        files: &["bindings/java/src/main/java/payspec/Engine.java"],
        start: "\n    public ",
        ends: &[" {\n"],
        replaced: &[],
        overloads: true,
        others: &["Engine", "close", "accepts", "call", "batch"],
        notes: "The engine is `AutoCloseable`. With null as `now`, expired cards are not detected. A caller error throws \
                `payspec.PayspecException`, which is unchecked, with `code()`, `path()`, and `detail()`; its code is `library` if \
                the library cannot be loaded.",
    },
];

pub(super) fn page() -> Result<Page, String> {
    let mut text = "# Methods in JavaScript, Python, PHP, Go, and Java\n\nEach [operation](operations/index.md) has a method with \
                    its name in the style of the language. [Validate in JavaScript](../start/javascript.md) and [Validate in \
                    Python, PHP, Go, and Java](../start/languages.md) install the packages. This page is generated from their \
                    sources.\n\n"
        .to_owned();
    text.push_str(&npm_methods::section()?);
    for package in &PACKAGES {
        let signatures = package.signatures()?.join("\n");
        let block = code(package.highlighting, &signatures);
        text.push_str(&format!(
            "## {}\n\n{}\n\n{block}\n",
            package.language, package.notes
        ));
    }
    Ok(Page {
        path: "reference/methods.md".to_owned(),
        title: "Methods in other languages".to_owned(),
        text,
    })
}

impl Package {
    /// Returns the signatures: the other methods, then those of the operations in their order.
    /// Fails if one is missing.
    fn signatures(&self) -> Result<Vec<String>, String> {
        let mut found = Vec::new();
        for file in self.files {
            let path = root().join(file);
            let text = fs::read_to_string(&path).map_err(failed(&path))?;
            found.extend(
                text.split(self.start)
                    .skip(1)
                    .map(|rest| self.signature(rest)),
            );
        }
        let mut listed = Vec::new();
        for name in self
            .others
            .iter()
            .copied()
            .chain(OPERATIONS.iter().map(|operation| operation.name))
        {
            let same = |signature: &&(String, String)| plain(&signature.0) == plain(name);
            let before = listed.len();
            // The constructors of other classes in the files come later.
            let most = if self.overloads { usize::MAX } else { 1 };
            listed.extend(
                found
                    .iter()
                    .filter(same)
                    .take(most)
                    .map(|(_, signature)| signature.clone()),
            );
            if listed.len() == before {
                return Err(format!(
                    "the package for {} has no method {name}",
                    self.language
                ));
            }
        }
        Ok(listed)
    }

    /// Returns the name of the method at the beginning of a text, and its signature on one line.
    fn signature(&self, text: &str) -> (String, String) {
        let end = self
            .ends
            .iter()
            .filter_map(|end| text.find(end))
            .min()
            .unwrap_or(text.len());
        let signature = one_line(&text[..end]);
        let name = signature
            .split('(')
            .next()
            .unwrap_or_default()
            .rsplit(' ')
            .next()
            .unwrap_or_default()
            .to_owned();
        let shown = self
            .replaced
            .iter()
            .fold(signature, |text, (from, to)| text.replace(from, to));
        (name, shown)
    }
}

/// Returns a name without what differs between the styles of languages.
fn plain(name: &str) -> String {
    name.to_lowercase().replace('_', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_signatures_on_several_lines() {
        let [python, php, ..] = &PACKAGES;
        let text = "validate_request(\n        self,\n        body: Body,\n    ) -> Report:\n        \"\"\"Validates: it.\"\"\"";
        assert_eq!(
            python.signature(text),
            (
                "validate_request".to_owned(),
                "validate_request(body: Body) -> Report".to_owned()
            )
        );
        let text = "locate(\n        #[\\SensitiveParameter] string $body,\n        string $pointer,\n    ): array {\n        return";
        assert_eq!(
            php.signature(text),
            (
                "locate".to_owned(),
                "locate(string $body, string $pointer): array".to_owned()
            )
        );
    }
}
