//! Runs the examples in Rust, Go, and Java. All of a language are compiled at once, which is faster
//! than one by one.

use super::common::{output, write};
use super::samples::{Snippet, package};
use crate::build::install;
use crate::examples::jna;
use crate::support::checks::all;
use crate::support::process::{cargo, run_checked, target};
use anyhow::{Context, Result};
use fs_err as fs;
use payspec_support::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The first character of the line before the output of an example, which JSON does not contain.
const MARK: char = '\u{1}';

/// Runs a program that runs all examples, and compares what it prints after each line with the name
/// of one.
fn compare(snippets: &[Snippet], program: &mut Command) -> Result<()> {
    let ended = program.output().with_context(|| format!("{program:?}"))?;
    let (printed, errors) = (
        String::from_utf8_lossy(&ended.stdout),
        String::from_utf8_lossy(&ended.stderr),
    );
    all(snippets.iter().map(|snippet| {
        let answer = printed
            .split(MARK)
            .find_map(|part| part.strip_prefix(&format!("{}\n", snippet.name)));
        snippet.compare(answer.unwrap_or_default(), &errors)
    }))
}

pub(super) fn run_rust(folder: &Path) -> Result<()> {
    let snippets = Snippet::of("Rust")?;
    let folder = folder.join("rust");
    let (mut modules, mut calls) = (String::new(), String::new());
    for snippet in &snippets {
        let name = &snippet.name;
        write(
            &folder.join(format!("src/{name}.rs")),
            &snippet.text.replace("\nfn main", "\npub fn main"),
        )?;
        modules.push_str(&format!("mod {name};\n"));
        calls.push_str(&format!(
            "    println!(\"\\u{{1}}{name}\");\n    {name}::main()?;\n"
        ));
    }
    let main = format!(
        "{modules}\nfn main() -> Result<(), Box<dyn std::error::Error>> {{\n{calls}    Ok(())\n}}\n"
    );
    write(&folder.join("src/main.rs"), &main)?;
    let manifest = format!(
        "[package]\nname = \"shown\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\npayspec = {{ path = {:?} }}\n\n[workspace]\n",
        root().join("core")
    );
    write(&folder.join("Cargo.toml"), &manifest)?;
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    // The folder is new in each run, the compiled library is not.
    let built = target().join("docs/rust");
    run_checked(
        cargo()
            .args(["build", "--offline", "--quiet", "--target-dir"])
            .arg(&built)
            .current_dir(&folder),
        "cargo build",
    )?;
    compare(&snippets, &mut Command::new(built.join("debug/shown")))
}

/// Returns the prefix of a library that is installed once.
fn installed() -> Result<PathBuf> {
    let prefix = output().join("installed");
    install::into(&prefix)?;
    Ok(prefix)
}

pub(super) fn run_go(folder: &Path) -> Result<()> {
    let snippets = Snippet::of("Go")?;
    let folder = folder.join("go");
    for snippet in &snippets {
        write(&folder.join(&snippet.name).join("main.go"), &snippet.text)?;
    }
    let module = format!(
        "module shop\n\ngo 1.19\n\nrequire payspec.example/payspec v0.0.0\n\nreplace payspec.example/payspec => {}\n",
        package("go").display()
    );
    write(&folder.join("go.mod"), &module)?;
    let prefix = installed()?;
    let mut go = Command::new("go");
    go.args(["build", "-o", "bin/", "./..."])
        .current_dir(&folder);
    run_checked(
        go.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")),
        "go build",
    )?;
    all(snippets.iter().map(|snippet| {
        let mut program = Command::new(folder.join("bin").join(&snippet.name));
        let ended = program
            .env("LD_LIBRARY_PATH", prefix.join("lib"))
            .output()?;
        snippet.compare(
            &String::from_utf8_lossy(&ended.stdout),
            &String::from_utf8_lossy(&ended.stderr),
        )
    }))
}

pub(super) fn run_java(folder: &Path) -> Result<()> {
    let snippets = Snippet::of("Java")?;
    let folder = folder.join("java");
    let mut calls = String::new();
    for Snippet {
        name, class, text, ..
    } in &snippets
    {
        // Both calls of an operation have the same class.
        write(
            &folder.join(format!("{name}.java")),
            &text.replace(&format!("class {class} "), &format!("class {name} ")),
        )?;
        calls.push_str(&format!(
            "        System.out.println(\"\\1{name}\");\n        {name}.main(arguments);\n"
        ));
    }
    let all = format!(
        "import java.io.*;\nimport java.nio.charset.StandardCharsets;\n\npublic class All {{\n    public static void main(String[] arguments) \
         throws Exception {{\n        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8));\n\
         {calls}    }}\n}}\n"
    );
    write(&folder.join("All.java"), &all)?;
    let sources = package("java").join("src/main/java/payspec");
    let compile = format!(
        "javac -encoding UTF-8 -cp {} -d classes {}/*.java *.java",
        jna(),
        sources.display()
    );
    run_checked(
        Command::new("sh")
            .args(["-ec", &compile])
            .current_dir(&folder),
        "javac",
    )?;
    let mut java = Command::new("java");
    java.args(["-cp", &format!("classes:{}", jna()), "All"])
        .current_dir(&folder);
    compare(
        &snippets,
        java.env("PAYSPEC_LIBRARY", install::shared_library(&installed()?)),
    )
}
