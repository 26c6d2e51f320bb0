//! Constants in JavaScript.

/// Returns a list as one text, which compresses better than an array of texts. Bundlers omit it if
/// it is unused.
pub(crate) fn list(doc: &str, name: &str, items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
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
    let value = format!("/* @__PURE__ */ `{text}`.split(\"{separator}\")");
    constant(doc, name, &value)
}

/// Returns a value that is written in JavaScript.
pub(crate) fn constant(doc: &str, name: &str, value: &str) -> String {
    format!("\n/** {doc} */\nexport const {name} = {value};\n")
}
