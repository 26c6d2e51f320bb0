//! Checks the direction of imports between the source files. An entry of `core/src` imports only
//! from entries before it in `ORDER`. Files of a crate form no cycle. In the core, few files import
//! `wide`, and few entries `Engine`.
//!
//! Paths are read as text: those of `use` statements, and those in code that begin with `crate`.
//! They lead to the file that defines the item, so re-exports (`pub use`) do not count.

use payspec_tests::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The entries of `core/src` in the order of their layers.
const ORDER: [&str; 20] = [
    "util",
    "json",
    "types",
    "card",
    "money",
    "schema",
    "report",
    "error",
    "input",
    "policy",
    "validate",
    "page",
    "model",
    "context",
    "ops",
    "decisions",
    "engine",
    "openapi",
    "operations",
    "lib",
];

/// The folders with the source files of the crates.
const CRATES: [&str; 15] = [
    "cli/src",
    "core/src",
    "ffi/src",
    "service/gateway/src",
    "service/sandbox/src",
    "tests/bench/src",
    "tests/bulk/src",
    "tests/fuzz/src",
    "tests/protocol/src",
    "tests/src",
    "tests/support/src",
    "wasm/src",
    "wasm/page/src",
    "docs/generate/src",
    "xtask/src",
];

/// The files of the core that import `wide`.
const VECTOR_FILES: [&str; 5] = [
    "card/text/prefilter",
    "json/scanner",
    "json/schema/quoted_name",
    "json/terminator",
    "util/bytes",
];

/// The entries that import `Engine`. The others take a `Ruleset`.
const ENGINE_ENTRIES: [&str; 3] = ["openapi", "operations", "lib"];

/// The files of a crate by their module: `json/reader`, `json` for `json/mod.rs`, `lib`.
type Files = BTreeMap<String, File>;

#[derive(Default)]
struct File {
    /// Absolute paths that the code names: `json/reader/Reader`.
    paths: Vec<String>,
    /// Re-exported paths by their name.
    exports: BTreeMap<String, String>,
}

/// Reads the files of a crate.
fn read(folder: &Path, module: &str, files: &mut Files) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let below = if module.is_empty() {
            name.clone()
        } else {
            format!("{module}/{name}")
        };
        // Tests in files of their own.
        if name == "tests" {
            continue;
        }
        if path.is_dir() {
            read(&path, &below, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let own = if name == "mod" {
                module.to_owned()
            } else {
                below
            };
            let text = fs::read_to_string(&path).expect("a source file");
            files.insert(own.clone(), file(&code(&text), &own));
        }
    }
}

/// Returns the code before the tests, without comments.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

fn file(code: &str, module: &str) -> File {
    let mut file = File::default();
    let is_root = ["lib", "main"].contains(&module);
    let module = if is_root { "" } else { module };
    for statement in code.split(';') {
        let Some((before, tree)) = statement.split_once("use ") else {
            continue;
        };
        let line = before.rsplit('\n').next().unwrap_or_default().trim();
        if !line.is_empty() && !line.starts_with("pub") {
            continue;
        }
        for leaf in leaves(tree) {
            let (path, name) = leaf.split_once(" as ").unwrap_or((&leaf, ""));
            let Some(absolute) = absolute(path, module) else {
                continue;
            };
            if line.is_empty() {
                file.paths.push(absolute);
            } else {
                let last = absolute.rsplit('/').next().unwrap_or_default();
                let name = if name.is_empty() { last } else { name };
                file.exports.insert(name.to_owned(), absolute);
            }
        }
    }
    // Paths in expressions, types, and macros.
    for part in code.split("crate::").skip(1) {
        let end = part.find(|next: char| !(next.is_alphanumeric() || "_:".contains(next)));
        let path = part[..end.unwrap_or(part.len())].trim_end_matches(':');
        if !path.is_empty() {
            file.paths.push(path.replace("::", "/"));
        }
    }
    file
}

/// Returns the paths of the tree of a `use` statement.
fn leaves(tree: &str) -> Vec<String> {
    let Some((prefix, rest)) = tree.split_once('{') else {
        return vec![tree.trim().to_owned()];
    };
    let rest = rest.rsplit_once('}').map_or(rest, |(inside, _)| inside);
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    let ends = rest.char_indices().chain([(rest.len(), ',')]);
    for (at, character) in ends {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let item = rest[start..at].trim();
                if !item.is_empty() {
                    found.extend(leaves(&format!("{}{item}", prefix.trim())));
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    found
}

/// Returns the path from the root of the crate; `None` for paths of other crates.
fn absolute(path: &str, module: &str) -> Option<String> {
    let mut base: Vec<&str> = module.split('/').filter(|part| !part.is_empty()).collect();
    let mut parts: Vec<&str> = path.split("::").map(str::trim).collect();
    match parts.first()? {
        &"crate" | &"$crate" => base.clear(),
        &"self" => {}
        &"super" => {
            while parts.get(1) == Some(&"super") {
                base.pop();
                parts.remove(0);
            }
            base.pop();
        }
        _ => return None,
    }
    if parts.last() == Some(&"self") {
        parts.pop();
    }
    base.extend(&parts[1..]);
    Some(base.join("/"))
}

/// Returns the module that defines the item of a path.
fn target<'f>(files: &'f Files, root: &'f str, path: &str) -> &'f str {
    let parts: Vec<&str> = path.split('/').collect();
    let prefixes = (1..=parts.len())
        .rev()
        .map(|length| parts[..length].join("/"));
    let found = prefixes
        .filter_map(|prefix| files.get_key_value(&prefix))
        .next();
    let (module, length) = found.map_or((root, 0), |(module, _)| {
        (module.as_str(), module.split('/').count())
    });
    let exported = parts
        .get(length)
        .and_then(|name| files[module].exports.get(*name));
    match exported {
        Some(path) => target(files, root, path),
        None => module,
    }
}

/// Returns the imported modules of each module.
fn imports(files: &Files) -> BTreeMap<&str, BTreeSet<&str>> {
    let root = if files.contains_key("lib") {
        "lib"
    } else {
        "main"
    };
    let edges = files.iter().map(|(module, file)| {
        let targets = file.paths.iter().map(|path| target(files, root, path));
        (
            module.as_str(),
            targets.filter(|target| target != module).collect(),
        )
    });
    edges.collect()
}

/// Returns a cycle of imports, if there is one.
fn cycle(imports: &BTreeMap<&str, BTreeSet<&str>>) -> Option<String> {
    let mut left = imports.clone();
    // Removes the modules that import nothing, again and again. What remains, is in a cycle or
    // imports from one.
    loop {
        let free: Vec<&str> = left
            .iter()
            .filter(|(_, to)| to.is_empty())
            .map(|(from, _)| *from)
            .collect();
        if free.is_empty() {
            break;
        }
        for module in free {
            left.remove(module);
            for to in left.values_mut() {
                to.remove(module);
            }
        }
    }
    let (first, _) = left.first_key_value()?;
    let (mut module, mut seen) = (*first, Vec::new());
    while !seen.contains(&module) {
        seen.push(module);
        module = left[module].first()?;
    }
    let start = seen.iter().position(|other| *other == module)?;
    Some(seen[start..].join(" → "))
}

fn files(folder: &str) -> Files {
    let mut files = Files::new();
    read(&root().join(folder), "", &mut files);
    files
}

#[test]
fn files_of_a_crate_form_no_cycle() {
    for folder in CRATES {
        let files = files(folder);
        assert_eq!(cycle(&imports(&files)), None, "{folder}");
    }
}

#[test]
fn the_core_imports_in_one_direction() {
    let files = files("core/src");
    let entry = |module: &str| module.split('/').next().unwrap_or_default().to_owned();
    let layer = |module: &str| {
        let entry = entry(module);
        let layer = ORDER.iter().position(|other| *other == entry);
        layer.unwrap_or_else(|| panic!("{entry} is not in the order of the layers"))
    };
    for (from, to) in imports(&files) {
        for to in to {
            assert!(layer(to) <= layer(from), "{from} imports from {to}");
            let takes_engine = entry(to) == "engine" && entry(from) != "engine";
            let is_listed = ENGINE_ENTRIES.contains(&entry(from).as_str());
            assert!(!takes_engine || is_listed, "{from} imports the engine");
        }
    }
}

#[test]
fn few_files_import_vectors() {
    let mut found = Vec::new();
    for module in files("core/src").keys() {
        let folder = root().join("core/src");
        let path =
            [format!("{module}.rs"), format!("{module}/mod.rs")].map(|file| folder.join(file));
        let path = path
            .iter()
            .find(|path| path.is_file())
            .expect("a source file");
        if code(&fs::read_to_string(path).expect("a source file")).contains("wide::") {
            found.push(module.clone());
        }
    }
    assert_eq!(found, VECTOR_FILES);
}

#[test]
fn finds_cycles_and_follows_exports() {
    let crates = |texts: &[(&str, &str)]| {
        let texts = texts
            .iter()
            .map(|(module, text)| ((*module).to_owned(), file(&code(text), module)));
        texts.collect::<Files>()
    };
    let two = crates(&[
        ("lib", "mod a; mod b;"),
        ("a", "use crate::b::{self, Two};\npub struct One(Two);"),
        ("b", "pub struct Two;\nfn f() -> crate::a::One { todo() }"),
    ]);
    assert_eq!(cycle(&imports(&two)).as_deref(), Some("a → b"));
    let exported = crates(&[
        ("lib", "pub use json::Reader;\nmod json;\nmod user;"),
        (
            "json",
            "mod reader;\npub(crate) use self::reader::{Reader as Renamed, Reader};",
        ),
        (
            "json/reader",
            "// use crate::user::User;\npub struct Reader;",
        ),
        (
            "user",
            "use super::json::{Reader};\npub struct User(Reader);\n#[cfg(test)]\nmod tests { use crate::user::x; }",
        ),
    ]);
    let imports = imports(&exported);
    assert_eq!(imports["user"], BTreeSet::from(["json/reader"]));
    assert_eq!(imports["json"], BTreeSet::new());
    assert_eq!(cycle(&imports), None);
}
