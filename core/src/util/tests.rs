//! Tables of the core as JavaScript, for the npm package: unit tests write them and compare them.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

extern crate std;

/// Appends a list as one text, which compresses better than an array of texts. Bundlers omit it if
/// it is unused.
pub(crate) fn list(
    out: &mut String,
    doc: &str,
    name: &str,
    items: impl IntoIterator<Item = impl ToString>,
) {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    assert!(
        !items.concat().contains(['\\', '`', '$', '~']),
        "{name} needs no escapes"
    );
    // A line break would be two characters in the bundle.
    let (separator, line_break) = if items.concat().contains(' ') {
        ("~", "\\\n")
    } else {
        (" ", "")
    };
    let text = items.join(&format!("{separator}{line_break}"));
    constant(
        out,
        doc,
        name,
        &format!("/* @__PURE__ */ `{text}`.split(\"{separator}\")"),
    );
}

/// Appends a value that is written in JavaScript.
pub(crate) fn constant(out: &mut String, doc: &str, name: &str, value: &str) {
    out.push_str(&format!("\n/** {doc} */\nexport const {name} = {value};\n"));
}

/// Compares the tables with a file in `wasm/js`, which `BLESS` writes before.
pub(crate) fn compare(file: &str, about: &str, tables: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../wasm/js")
        .join(file);
    let text = format!(
        "// {about}. Written by a unit test of `payspec`: BLESS=1 cargo xtask test core\n{tables}"
    );
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(path).unwrap_or_default(),
        text,
        "BLESS=1 cargo xtask test core"
    );
}
