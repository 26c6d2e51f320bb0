//! The installation, used like third-party projects do: pkg-config, find_package, links, content of
//! the files.

use crate::{prefix, read, scratch, soname};
use payspec_tests::{c, root};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the sources of the C example.
fn example() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("examples/c"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut sources: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|ending| ending == "c"))
        .collect();
    sources.sort();
    assert!(!sources.is_empty(), "examples/c contains no program");
    sources
}

/// Checks that the program answers a request.
fn check_answer(program: &Path) {
    let body = File::open(root().join("examples/bodies/p2p-sbp.json")).unwrap();
    let mut command = Command::new(program);
    command
        .env("PAYSPEC_TOKEN", "token")
        .env("PAYSPEC_AUTHORIZATION", "Bearer token")
        .stdin(body);
    let text = c::run_checked(&mut command);
    assert!(
        text.starts_with(r#"{"status":201,"#),
        "{}: {text}",
        program.display()
    );
}

#[test]
fn installs_all_files() {
    for file in [
        "include/payspec.h",
        "include/payspec.hpp",
        "include/payspec.ffi.h",
        "lib/libpayspec.a",
        "lib/pkgconfig/payspec.pc",
        "lib/cmake/payspec/payspec-config.cmake",
        "lib/cmake/payspec/payspec-config-version.cmake",
    ] {
        assert!(prefix().file(file).is_file(), "{file} is missing");
    }
    let link = |name: &str| {
        fs::read_link(prefix().file("lib").join(name))
            .unwrap()
            .display()
            .to_string()
    };
    assert_eq!(link("libpayspec.so"), soname());
    assert_eq!(link(&soname()), format!("libpayspec.so.{VERSION}"));
    assert_eq!(
        fs::read_to_string(prefix().file("include/payspec.h")).unwrap(),
        read("include/payspec.h")
    );
    for file in [
        "lib/pkgconfig/payspec.pc",
        "lib/cmake/payspec/payspec-config.cmake",
        "lib/cmake/payspec/payspec-config-version.cmake",
    ] {
        let text = fs::read_to_string(prefix().file(file)).unwrap();
        assert!(!text.contains('@'), "{file} has a placeholder: {text}");
    }
}

#[test]
fn keeps_the_content_of_files_under_destdir() {
    let destdir = scratch().join("destdir");
    if destdir.exists() {
        fs::remove_dir_all(&destdir).unwrap();
    }
    c::run_checked(
        c::xtask()
            .args(["install", "--prefix=/opt/pay spec"])
            .arg("--destdir")
            .arg(&destdir),
    );
    let folder = destdir.join("opt/pay spec/lib/pkgconfig");
    let text = fs::read_to_string(folder.join("payspec.pc")).unwrap();
    assert!(text.starts_with("prefix=/opt/pay\\ spec\n"), "{text}");
    // One word for a shell, although it contains a space.
    let mut pkg_config = Command::new(c::tool("pkg-config", "pkg-config"));
    pkg_config
        .env("PKG_CONFIG_PATH", &folder)
        .args(["--cflags", "payspec"]);
    assert_eq!(
        c::run_checked(&mut pkg_config).trim(),
        r"-I/opt/pay\ spec/include"
    );
}

#[test]
fn reports_a_failed_installation() {
    for arguments in [
        &["--prefix", "relative"][..],
        &["--prefix"],
        &["--libdir", "x"],
    ] {
        let output = c::run(c::xtask().args(["install"]).args(arguments));
        assert!(
            !output.status.success() && !output.stderr.is_empty(),
            "{arguments:?}: {}",
            c::printed(&output)
        );
    }
}

fn pkg_config(arguments: &[&str]) -> Vec<String> {
    let mut command = Command::new(c::tool("pkg-config", "pkg-config"));
    command.env("PKG_CONFIG_PATH", prefix().file("lib/pkgconfig"));
    c::run_checked(command.args(arguments).arg("payspec"))
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}

#[test]
fn builds_the_example_with_pkg_config() {
    assert_eq!(pkg_config(&["--modversion"]), [VERSION]);
    for linkage in [
        &["--cflags", "--libs"][..],
        &["--cflags", "--static", "--libs"],
    ] {
        let program = prefix().file(&format!("example-pkg-config-{}", linkage.len()));
        let mut cc = Command::new(c::tool("gcc", "gcc"));
        cc.arg("-o")
            .arg(&program)
            .args(example())
            .args(pkg_config(linkage));
        // For a library outside the folders of the system.
        c::run_checked(cc.arg(format!("-Wl,-rpath,{}", prefix().file("lib").display())));
        check_answer(&program);
    }
}

#[test]
fn builds_the_example_with_find_package() {
    let cmake = c::tool("cmake", "cmake make");
    let project = prefix().file("third_party");
    fs::create_dir_all(&project).unwrap();
    let sources: Vec<String> = example()
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let text = read("tests/c/CMakeLists.txt.in").replace("@VERSION@", VERSION);
    fs::write(
        project.join("CMakeLists.txt"),
        text.replace("\"@SOURCE@\"", &sources.join(" ")),
    )
    .unwrap();
    let build = project.join("build");
    let mut configure = Command::new(&cmake);
    configure.arg("-S").arg(&project).arg("-B").arg(&build);
    c::run_checked(configure.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix().0.display())));
    c::run_checked(Command::new(&cmake).arg("--build").arg(&build));
    check_answer(&build.join("shared"));
    check_answer(&build.join("static"));
    // The static library does not require the shared one.
    let needed = c::run_checked(
        Command::new(c::tool("objdump", "binutils"))
            .arg("-p")
            .arg(build.join("static")),
    );
    assert!(!needed.contains("libpayspec.so"), "{needed}");

    // A newer version, another MAJOR, or another MINOR while MAJOR is 0 is not found.
    for version in ["99.0.0", "1.0.0", "0.0.0"] {
        let text = read("tests/c/CMakeLists.txt.in")
            .replace("@VERSION@", version)
            .replace("\"@SOURCE@\"", &sources[0]);
        fs::write(project.join("CMakeLists.txt"), text).unwrap();
        let mut configure = Command::new(&cmake);
        configure
            .arg("-S")
            .arg(&project)
            .arg("-B")
            .arg(project.join(version));
        let output = c::run(configure.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix().0.display())));
        assert!(!output.status.success(), "payspec {version} was found");
    }
}
