//! The packages of languages for macOS and Windows: the right library or module is in each.

use super::formats::{Kind, checked, unpacked};
use super::installation::{Packages, isolated, unzip};
use super::native::go_module;
use crate::build::install::VERSION;
use crate::dist::go_module::native;
use crate::dist::platform::Platform;
use crate::dist::sums::sha256;
use crate::support::process::text_of;
use crate::support::test_counts::TestCounts;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};

/// Compares the libraries in the jar, in the package for Composer, and in the module for Go with
/// those of the archive for C, and checks the module in each wheel.
pub(super) fn run(packages: &Packages) -> Result<TestCounts> {
    let (jar, php) = (packages.empty("jar")?, packages.empty("php")?);
    unzip(&packages.file(&format!("payspec-{VERSION}.jar"), "")?, &jar)?;
    unzip(&packages.file("payspec-payspec-", ".zip")?, &php)?;
    let (_, go) = go_module(packages)?;
    let mut counts = TestCounts::default();
    for platform in packages.extent.other_systems() {
        let folder = unpacked(packages, platform, "payspec-")?;
        let library = match platform.library() {
            name if name.ends_with(".dll") => folder.join("bin").join(name),
            name => folder.join("lib").join(name),
        };
        let in_jar = jar.join("payspec/native").join(platform.java_folder());
        let in_jar = in_jar.join(platform.library());
        let in_php = php.join("native").join(platform.php_folder());
        for (package, file, original) in [
            ("jar", &in_jar, &library),
            (
                "package for Composer",
                &in_php.join(platform.library()),
                &library,
            ),
            (
                "module for Go",
                &go.join(native(platform)),
                &folder.join("lib/libpayspec.a"),
            ),
        ] {
            let is_same = sha256(file)? == sha256(original)?;
            ensure!(
                is_same,
                "another library of {} in the {package}",
                platform.name
            );
            counts.add(TestCounts::of_check(true));
        }
        let sum = in_jar.with_file_name(format!("{}.sha256", platform.library()));
        let sum = fs_err::read_to_string(sum)?;
        ensure!(sum == sha256(&library)?, "another checksum in the jar");
        let module = module_of_wheel(packages, platform)?;
        checked(&module, platform, Kind::Module)
            .with_context(|| format!("the wheel of {}", platform.name))?;
        counts.add(TestCounts::of_check(true));
    }
    Ok(counts)
}

/// Installs the wheel that pip selects for a platform and the oldest Python, and returns the path of
/// its only native module.
fn module_of_wheel(packages: &Packages, platform: &Platform) -> Result<PathBuf> {
    let folder = packages.empty(&format!("python-{}", platform.name))?;
    let mut pip = isolated(crate::setup::python(), &folder);
    pip.args(["-m", "pip", "install", "--quiet", "--no-index", "--no-deps"])
        .args(["--no-cache-dir", "--only-binary=:all:", "--target", "site"])
        .args(["--python-version=3.11", "--implementation=cp"])
        .args(["--platform", platform.wheel, "--find-links"])
        .arg(&packages.dist)
        .arg(format!("payspec=={VERSION}"));
    text_of(&mut pip)?;
    let package = folder.join("site/payspec");
    let modules: Vec<PathBuf> = crate::dist::archive::files(&package)?
        .into_iter()
        .filter(|file| is_native(file))
        .collect();
    let expected = package.join(platform.python_module());
    ensure!(modules == [expected.clone()], "the modules {modules:?}");
    Ok(expected)
}

fn is_native(file: &Path) -> bool {
    let extension = file.extension().unwrap_or_default();
    ["so", "pyd", "dll", "dylib"]
        .iter()
        .any(|known| extension == *known)
}
