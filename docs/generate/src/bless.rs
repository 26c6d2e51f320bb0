//! `cargo xtask bless`: writes the answers of the vectors. Their `returns` and `expect` are written
//! by hand first; an answer that contradicts them is not written.

use anstream::println;
use anstyle::{AnsiColor, Style};
use payspec_tests::vector::{self, File};
use std::fs;
use std::path::Path;

const BAD: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();

/// Writes the answers; without `write`, fails if they would change.
pub(crate) fn run(write: bool) -> Result<(), String> {
    let mut files = vector::load()?;
    let rejected: usize = files.iter_mut().map(answer).sum();
    let vectors: usize = files.iter().map(|file| file.vectors.len()).sum();
    let changed: Vec<&File> = files
        .iter()
        .filter(|file| file.canonical() != file.text)
        .collect();
    for file in &changed {
        println!("{}", name(&file.path));
        if write {
            fs::write(&file.path, file.canonical())
                .map_err(|error| format!("{}: {error}", file.path.display()))?;
        }
    }
    println!(
        "{FAINT}{vectors} vectors in {} files, {} of them to be written{FAINT:#}",
        files.len(),
        changed.len()
    );
    match () {
        () if vectors == 0 => Err("there are no vectors".to_owned()),
        () if rejected > 0 => Err(format!(
            "{rejected} vectors are not blessed: their answers contradict `returns` or `expect`"
        )),
        () if !write && !changed.is_empty() => {
            Err("cargo xtask bless would change these files".to_owned())
        }
        () => Ok(()),
    }
}

/// Sets the answers of one file. Prints and counts the vectors that contradict their answers.
fn answer(file: &mut File) -> usize {
    let mut rejected = 0;
    for vector in &mut file.vectors {
        let answer = vector.call(&file.operation);
        let contradictions = vector.contradictions(&answer);
        let text = String::from_utf8_lossy(&answer.text).into_owned();
        if contradictions.is_empty() {
            vector.answer = Some(text);
        } else {
            rejected += 1;
            println!(
                "{BAD}{}{BAD:#} {FAINT}{}{FAINT:#}",
                vector.name,
                name(&file.path)
            );
            contradictions
                .iter()
                .for_each(|line| println!("    {line}"));
            println!("    {FAINT}{text}{FAINT:#}");
        }
    }
    rejected
}

fn name(path: &Path) -> String {
    path.strip_prefix(payspec_tests::root())
        .unwrap_or(path)
        .display()
        .to_string()
}
