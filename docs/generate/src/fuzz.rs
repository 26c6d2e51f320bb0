//! The fuzz targets, and their inputs as files.

use crate::common::failed;
use payspec_fuzz::{TARGETS, Target, corpus};
use serde::Serialize;
use std::fs;
use std::path::Path;

/// The facts of a target that its runner needs.
#[derive(Serialize)]
pub(crate) struct Facts {
    name: &'static str,
    about: &'static str,
    longest: usize,
}

/// Returns all targets.
pub(crate) fn targets() -> Vec<Facts> {
    let facts = |target: &Target| Facts {
        name: target.name,
        about: target.about,
        longest: target.longest,
    };
    TARGETS.iter().map(facts).collect()
}

fn target(name: &str) -> Result<&'static Target, String> {
    payspec_fuzz::target(name).ok_or_else(|| format!("unknown target {name}"))
}

/// Writes the kept corpus and the seeds of a target into two folders, a file for each input.
pub(crate) fn inputs(name: &str, kept: &str, seeds: &str) -> Result<(), String> {
    let target = target(name)?;
    fill(Path::new(kept), &corpus::read(target)?)?;
    fill(Path::new(seeds), &(target.seeds)())
}

fn fill(folder: &Path, inputs: &[Vec<u8>]) -> Result<(), String> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(failed(folder))?;
    }
    fs::create_dir_all(folder).map_err(failed(folder))?;
    for (index, input) in inputs.iter().enumerate() {
        let file = folder.join(index.to_string());
        fs::write(&file, input).map_err(failed(&file))?;
    }
    Ok(())
}

/// Replaces the kept corpus of a target by the files in a folder.
pub(crate) fn keep(name: &str, folder: &str) -> Result<(), String> {
    let folder = Path::new(folder);
    let mut inputs = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed(folder))? {
        let path = entry.map_err(failed(folder))?.path();
        inputs.push(fs::read(&path).map_err(failed(&path))?);
    }
    corpus::write(target(name)?, inputs)
}
