//! The vectors: files for all languages, each a list of calls of one operation with their answers.
//!
//! `{"operation":"…","vectors":[{"name","why","policy"?,"inputs","returns","expect","answer"},…]}`.
//! An input is the text itself, null if omitted, or `{"hex":"…"}` for bytes that are not UTF-8.
//! `expect` is written by a person (see `matcher`), `answer` is the exact text, written by `cargo
//! xtask bless`.

use crate::call::{self, Answer};
use crate::json::Json;
use crate::matcher;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// One file of vectors.
pub struct File {
    /// Its path.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// The operation of all its vectors.
    pub operation: String,
    /// The vectors in order.
    pub vectors: Vec<Vector>,
}

/// One call and its answer.
pub struct Vector {
    /// Unique over all files.
    pub name: String,
    /// The behavior that it shows.
    pub why: String,
    /// The policy's text.
    pub policy: Option<String>,
    /// The inputs in the order of the operation.
    pub inputs: Vec<Option<Bytes>>,
    /// The return value of the C API.
    pub returns: i32,
    /// The expected content of the answer.
    pub expect: Json,
    /// The exact text of the answer, or `None` if it is not blessed yet.
    pub answer: Option<String>,
}

/// The bytes of an input and their form in the file.
pub struct Bytes {
    /// The bytes.
    pub bytes: Vec<u8>,
    written: Json,
}

/// Returns the folder of the vectors.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

/// Reads all files, ordered by name.
pub fn load() -> Result<Vec<File>, String> {
    let mut paths = Vec::new();
    collect(&folder(), &mut paths).map_err(|error| format!("{}: {error}", folder().display()))?;
    paths.sort();
    paths
        .into_iter()
        .map(|path| File::read(&path).map_err(|error| format!("{}: {error}", path.display())))
        .collect()
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, out)?;
        } else if path.extension().is_some_and(|ending| ending == "json") {
            out.push(path);
        }
    }
    Ok(())
}

impl File {
    fn read(path: &Path) -> Result<File, String> {
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let json = Json::parse(text.as_bytes())?;
        only(&json, &["operation", "vectors"])?;
        let operation = string(&json, "operation")?;
        if payspec::operations::operation(&operation).is_none() {
            return Err(format!("{operation} is not an operation"));
        }
        if path
            .parent()
            .and_then(Path::file_name)
            .is_none_or(|name| *name != *operation)
        {
            return Err(format!("the file should be in the folder {operation}"));
        }
        let vectors = json.get("vectors").unwrap_or(&Json::Null).elements();
        let vectors = vectors.iter().map(Vector::read).collect::<Result<_, _>>()?;
        Ok(File {
            path: path.to_owned(),
            text,
            operation,
            vectors,
        })
    }

    /// Returns the canonical text of the file.
    pub fn canonical(&self) -> String {
        let vectors: Vec<String> = self
            .vectors
            .iter()
            .map(|v| format!("    {}", v.to_json().expanded(4)))
            .collect();
        let operation = crate::json::quoted(&self.operation);
        format!(
            "{{\n  \"operation\": {operation},\n  \"vectors\": [\n{}\n  ]\n}}\n",
            vectors.join(",\n")
        )
    }
}

impl Vector {
    fn read(json: &Json) -> Result<Vector, String> {
        let name = string(json, "name")?;
        let read = || {
            only(
                json,
                &[
                    "name", "why", "policy", "inputs", "returns", "expect", "answer",
                ],
            )?;
            let inputs = json.get("inputs").ok_or("inputs is missing")?.elements();
            Ok(Vector {
                name: name.clone(),
                why: string(json, "why")?,
                policy: json
                    .get("policy")
                    .map(|_| string(json, "policy"))
                    .transpose()?,
                inputs: inputs
                    .iter()
                    .map(Bytes::read)
                    .collect::<Result<_, String>>()?,
                returns: match json.get("returns") {
                    Some(Json::Number(number)) => number
                        .to_string()
                        .parse()
                        .map_err(|_| "returns is not an i32")?,
                    _ => return Err("returns is missing".to_owned()),
                },
                expect: json.get("expect").ok_or("expect is missing")?.clone(),
                answer: json
                    .get("answer")
                    .map(|_| string(json, "answer"))
                    .transpose()?,
            })
        };
        read().map_err(|error| format!("{name}: {error}"))
    }

    fn to_json(&self) -> Json {
        let text = |text: &String| Json::String(text.clone());
        let inputs = self.inputs.iter().map(|input| {
            input
                .as_ref()
                .map_or(Json::Null, |bytes| bytes.written.clone())
        });
        let members = [
            ("name", Some(text(&self.name))),
            ("why", Some(text(&self.why))),
            ("policy", self.policy.as_ref().map(text)),
            ("inputs", Some(Json::Array(inputs.collect()))),
            ("returns", Some(Json::Number(self.returns.into()))),
            ("expect", Some(self.expect.clone())),
            ("answer", self.answer.as_ref().map(text)),
        ];
        Json::Object(
            members
                .into_iter()
                .filter_map(|(name, value)| Some((name.to_owned(), value?)))
                .collect(),
        )
    }

    /// Returns one input for each of the operation, `None` for those that the file omits, and any
    /// further ones.
    pub fn arguments(&self, operation: &str) -> Vec<Option<&[u8]>> {
        let listed =
            payspec::operations::operation(operation).map_or(0, |operation| operation.inputs.len());
        let inputs = self
            .inputs
            .iter()
            .map(|input| input.as_ref().map(|bytes| bytes.bytes.as_slice()));
        inputs
            .chain(std::iter::repeat(None))
            .take(listed.max(self.inputs.len()))
            .collect()
    }

    /// Makes the call. An invalid policy is the answer of the operation, as in the bindings.
    pub fn call(&self, operation: &str) -> Answer {
        match call::engine(self.policy.as_deref()) {
            Ok(engine) => call::answer(&engine, operation, &self.arguments(operation)),
            Err(error) => error.into(),
        }
    }

    /// Returns the differences between the answer and the number and `expect` that a person wrote.
    pub fn contradictions(&self, answer: &Answer) -> Vec<String> {
        let mut out = Vec::new();
        if answer.returns != self.returns {
            out.push(format!(
                "returns should be {}, it is {}",
                self.returns, answer.returns
            ));
        }
        match str::from_utf8(&answer.text) {
            Ok(text) => out.extend(matcher::differences(&self.expect, text)),
            Err(_) => out.push("the answer is not UTF-8".to_owned()),
        }
        out
    }
}

impl Bytes {
    fn read(json: &Json) -> Result<Option<Bytes>, String> {
        let bytes = match json {
            Json::Null => return Ok(None),
            Json::String(text) => text.clone().into_bytes(),
            _ => unhex(&string(json, "hex")?)?,
        };
        Ok(Some(Bytes {
            bytes,
            written: json.clone(),
        }))
    }
}

fn unhex(text: &str) -> Result<Vec<u8>, String> {
    let pairs = text
        .as_bytes()
        .chunks(2)
        .map(|pair| str::from_utf8(pair).unwrap_or_default());
    pairs
        .map(|pair| {
            u8::from_str_radix(pair, 16).map_err(|_| format!("{pair:?} is not hexadecimal"))
        })
        .collect()
}

fn string(json: &Json, name: &str) -> Result<String, String> {
    json.get(name)
        .and_then(Json::as_str)
        .map(str::to_owned)
        .ok_or_else(|| format!("{name} should be a string"))
}

fn only(json: &Json, known: &[&str]) -> Result<(), String> {
    match json
        .members()
        .iter()
        .find(|(name, _)| !known.contains(&name.as_str()))
    {
        Some((name, _)) => Err(format!("{name} is not a member of a vector file")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_a_vector_unchanged() {
        let text = r#"{"name":"a/b","why":"c","policy":"{}","inputs":["x",null,{"hex":"ff00"}],"returns":-4,"expect":{"b":1,"a":2},"answer":"{}"}"#;
        let vector = Vector::read(&Json::parse(text.as_bytes()).unwrap()).unwrap();
        assert_eq!(vector.to_json().compact(), text);
        assert_eq!(vector.inputs[2].as_ref().unwrap().bytes, [255, 0]);
    }

    #[test]
    fn rejects_invalid_vectors() {
        for (text, error) in [
            (r#"{"why":"c"}"#, "name should be a string"),
            (
                r#"{"name":"n","why":"c","inputs":[],"returns":0,"expect":{},"extra":1}"#,
                "n: extra is not a member of a vector file",
            ),
            (
                r#"{"name":"n","why":"c","inputs":[],"expect":{}}"#,
                "n: returns is missing",
            ),
            (
                r#"{"name":"n","why":"c","inputs":[{"hex":"f0g"}],"returns":0,"expect":{}}"#,
                "n: \"g\" is not hexadecimal",
            ),
        ] {
            assert_eq!(
                Vector::read(&Json::parse(text.as_bytes()).unwrap())
                    .err()
                    .as_deref(),
                Some(error)
            );
        }
    }
}
