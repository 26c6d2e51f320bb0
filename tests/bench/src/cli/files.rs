//! The files that the commands read. They repeat the bodies of the corpus.

use crate::corpus;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The request of the legacy API in the corpus.
const LEGACY: &[u8] = include_bytes!("../../corpus/legacy/pay-in.json");

/// A file, and what it contains.
pub(super) struct File {
    pub(super) path: PathBuf,
    /// The number of bodies, or of lines of a log.
    pub(super) bodies: u64,
    pub(super) bytes: u64,
}

/// All files except the large ones.
pub(super) struct Files {
    /// Valid bodies.
    pub(super) bodies: File,
    /// One of 97 bodies is invalid.
    pub(super) mixed: File,
    pub(super) legacy: File,
    pub(super) words: File,
    pub(super) log: File,
    /// The valid bodies as a JSON array, because ajv reads no JSON Lines.
    pub(super) array: File,
    /// The schema of the array.
    pub(super) array_schema: PathBuf,
}

impl Files {
    /// Writes files of about so many MiB.
    pub(super) fn write(folder: &Path, mebibytes: u64) -> Self {
        let repeat = |name: &str, block: &[u8]| repeat(&folder.join(name), block, mebibytes);
        let valid = lines(corpus::VALID);
        let mixed = [valid.repeat(12), lines(&corpus::INVALID[..1])].concat();
        let bodies = repeat("bodies.jsonl", &valid);
        let text = fs::read_to_string(&bodies.path).expect("the bodies");
        let text = format!("[{}]", text.trim_end().replace('\n', ",\n"));
        let array = File {
            path: folder.join("bodies.json"),
            bodies: bodies.bodies,
            bytes: text.len() as u64,
        };
        fs::write(&array.path, text).expect("the array");
        let array_schema = folder.join("schema.json");
        fs::write(&array_schema, schema_of_array().to_string()).expect("the schema");
        Files {
            mixed: repeat("mixed.jsonl", &mixed),
            legacy: repeat("legacy.jsonl", &[LEGACY.trim_ascii(), b"\n"].concat()),
            words: repeat("words.log", corpus::WORDS.as_bytes()),
            log: repeat("service.log", corpus::LOG.as_bytes()),
            bodies,
            array,
            array_schema,
        }
    }
}

impl Files {
    /// Removes the files.
    pub(super) fn remove(&self) {
        let Files {
            bodies,
            mixed,
            legacy,
            words,
            log,
            array,
            array_schema,
        } = self;
        let paths = [bodies, mixed, legacy, words, log, array].map(|file| &file.path);
        for path in paths.into_iter().chain([array_schema]) {
            fs::remove_file(path).expect("the file is removed");
        }
    }
}

/// Returns the schema of the corpus for an array of bodies.
fn schema_of_array() -> Value {
    let mut schema: Value =
        serde_json::from_str(include_str!("../../schema.json")).expect("schema.json is JSON");
    let members = schema.as_object_mut().expect("an object");
    let (dialect, definitions) = (members.remove("$schema"), members.remove("$defs"));
    json!({"$schema": dialect, "$defs": definitions, "type": "array", "items": schema})
}

/// Writes valid bodies.
pub(super) fn large(folder: &Path, mebibytes: u64) -> PathBuf {
    repeat(
        &folder.join("large.jsonl"),
        &lines(corpus::VALID),
        mebibytes,
    )
    .path
}

/// Writes requests of the legacy API.
pub(super) fn large_legacy(folder: &Path, mebibytes: u64) -> PathBuf {
    repeat(
        &folder.join("large-legacy.jsonl"),
        &[LEGACY.trim_ascii(), b"\n"].concat(),
        mebibytes,
    )
    .path
}

/// Creates a file with one line of this length. It is sparse, so that it takes no space.
pub(super) fn long_line(folder: &Path, mebibytes: u64) -> PathBuf {
    let path = folder.join("long-line.jsonl");
    fs::File::create(&path)
        .and_then(|file| file.set_len(mebibytes << 20))
        .expect("the file");
    path
}

/// Writes the lines of the block again and again.
fn repeat(path: &Path, block: &[u8], mebibytes: u64) -> File {
    let times = ((mebibytes << 20) / block.len() as u64).max(1);
    let mut file = BufWriter::new(fs::File::create(path).expect("the file"));
    for _ in 0..times {
        file.write_all(block).expect("the file");
    }
    file.flush().expect("the file");
    let lines = block.iter().filter(|byte| **byte == b'\n').count() as u64;
    File {
        path: path.to_owned(),
        bodies: lines * times,
        bytes: block.len() as u64 * times,
    }
}

/// Returns the bodies, each on one line.
fn lines(bodies: &[corpus::Body]) -> Vec<u8> {
    let lines = bodies
        .iter()
        .flat_map(|body| [body.bytes.trim_ascii(), b"\n"]);
    lines.flatten().copied().collect()
}
