//! The readme of each package, followed word by word: its program and its commands, in a folder
//! with only the package.

use super::installation::{Packages, isolated, program_of};
use crate::build::install::VERSION;
use crate::dist::archive::copy;
use crate::support::process::text_of;
use crate::support::test_counts::TestCounts;
use anyhow::{Context, Result, anyhow};
use fs_err as fs;
use payspec_support::{markdown, root};
use std::path::Path;

/// A readme.
struct Readme {
    path: &'static str,
    /// The beginning and the end of the name of the package; `@` is the version.
    package: (&'static str, &'static str),
    /// The language of the program, and its file.
    program: (&'static str, &'static str),
    /// The last lines of the output.
    prints: &'static str,
}

pub(super) const TOOLS: &str =
    "python3 python3-venv node go cc php composer java jna c++ pkg-config";

const READMES: [Readme; 6] = [
    Readme {
        path: "bindings/python/README.md",
        package: ("payspec-@", "manylinux_2_28_x86_64.whl"),
        program: ("python", "gateway.py"),
        prints: "201 False\n201 True\n",
    },
    Readme {
        path: "wasm/README.md",
        package: ("payspec-@", ".tgz"),
        program: ("js", "gateway.mjs"),
        prints: "201 false\n201 true\n",
    },
    Readme {
        path: "bindings/go/README.md",
        package: ("payspec-go-v@", ".zip"),
        program: ("go", "main.go"),
        prints: "201 false\n201 true\n",
    },
    Readme {
        path: "bindings/php/README.md",
        package: ("payspec-payspec-@", ".zip"),
        program: ("php", "gateway.php"),
        prints: "201 new\n201 replayed\n",
    },
    Readme {
        path: "bindings/java/README.md",
        package: ("payspec-@.jar", ""),
        program: ("java", "Gateway.java"),
        prints: "201 false\n201 true\n",
    },
    Readme {
        path: "bindings/cpp/README.md",
        package: ("payspec-@-x86_64-linux-gnu.tar.gz", ""),
        program: ("cpp", "gateway.cpp"),
        prints: "201 new\n201 replayed\n",
    },
];

/// Follows all readmes. The settings take the place of registries, in which the packages are not
/// yet.
pub(super) fn run(packages: &Packages) -> Result<TestCounts> {
    let mut counts = TestCounts::default();
    for readme in &READMES {
        let folder = packages.empty("readme")?;
        follow(readme, packages, &folder).context(readme.path)?;
        counts.add(TestCounts::of_check(true));
    }
    Ok(counts)
}

fn follow(readme: &Readme, packages: &Packages, folder: &Path) -> Result<()> {
    let (start, end) = readme.package;
    let package = packages.file(&start.replace('@', VERSION), end)?;
    copy(
        &package,
        &folder.join(package.file_name().unwrap_or_default()),
    )?;
    let path = root().join(readme.path);
    let (language, file) = readme.program;
    program_of(&path, language, &folder.join(file))?;
    if language == "java" {
        copy(Path::new(&crate::examples::jna()), &folder.join("jna.jar"))?;
    }
    let text = fs::read_to_string(&path)?;
    let commands = markdown::blocks(&text, "sh")
        .next()
        .context("the readme contains no commands")?;
    let mut shell = isolated("sh", folder);
    shell
        .args(["-ec", commands])
        .env("PATH", std::env::var_os("PATH").unwrap_or_default());
    shell
        .env("PIP_NO_INDEX", "1")
        .env("PIP_FIND_LINKS", folder)
        .env("npm_config_offline", "true");
    shell
        .env("COMPOSER_DISABLE_NETWORK", "1")
        .env("COMPOSER_ALLOW_SUPERUSER", "1")
        .env("GOPROXY", "off");
    shell
        .env(
            "GOCACHE",
            crate::support::process::target().join("dist-go-cache"),
        )
        .env("GOTOOLCHAIN", "local");
    let printed = text_of(&mut shell)?;
    // Installers print to either output.
    if printed.contains(readme.prints) {
        Ok(())
    } else {
        Err(anyhow!("printed {printed:?}"))
    }
}
