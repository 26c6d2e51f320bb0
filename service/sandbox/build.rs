//! Embeds the built checkout page.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Lists the files of the built checkout page, which `PAYSPEC_PAGE` names. Without it, `payspec
/// sandbox` serves a note instead.
fn main() {
    println!("cargo::rerun-if-env-changed=PAYSPEC_PAGE");
    let mut out = "pub(super) static FILES: &[(&str, &[u8])] = &[\n".to_owned();
    if let Some(folder) = env::var_os("PAYSPEC_PAGE").map(PathBuf::from) {
        println!("cargo::rerun-if-changed={}", folder.display());
        for path in files(&folder) {
            let name = path
                .strip_prefix(&folder)
                .expect("a file of the folder")
                .display()
                .to_string();
            writeln!(
                out,
                "    ({name:?}, include_bytes!({:?})),",
                path.display().to_string()
            )
            .expect("memory");
        }
    }
    out.push_str("];\n");
    write("page.rs", &out);
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    paths
        .into_iter()
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

fn write(name: &str, text: &str) {
    let file = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join(name);
    fs::write(&file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}
