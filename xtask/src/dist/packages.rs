//! One function for each kind of package.

use super::archive::{EPOCH, copy, copy_tracked, empty, tar_gz, write, zip};
use super::build::{Build, LICENSES};
use crate::build::install::VERSION;
use crate::setup;
use crate::support::process::run_checked;
use crate::support::process::text_of;
use anyhow::{Context, Result, anyhow};
use fs_err as fs;
use std::path::Path;
use std::process::Command;

impl Build<'_> {
    /// Builds a wheel for each platform, and the sdist.
    pub(super) fn python(&self) -> Result<()> {
        for (platform, module) in self.python_modules() {
            let folder = self.stage(&format!("python-{}", platform.name))?;
            copy_tracked(self.root, "bindings/python", &folder)?;
            copy(
                module,
                &folder.join("payspec").join(platform.python_module()),
            )?;
            let mut python = Command::new(setup::python());
            python.args(["-c", "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"]);
            python.arg(self.out).current_dir(&folder);
            python
                .env("SOURCE_DATE_EPOCH", EPOCH)
                .env("PAYSPEC_WHEEL_PLATFORM", platform.wheel);
            python.env("PYTHONHASHSEED", "0");
            // It prints warnings for a folder of data that could be a package.
            text_of(&mut python)?;
        }
        self.sdist()
    }

    /// Builds the sdist: the package, and the sources of its native module.
    fn sdist(&self) -> Result<()> {
        let folder = self.stage(&format!("payspec-{VERSION}"))?;
        copy_tracked(self.root, "bindings/python", &folder)?;
        self.sources(&folder.join("rust"))?;
        // Required by the format: the metadata of the wheel.
        const PROGRAM: &str = "
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    [name] = [name for name in wheel.namelist() if name.endswith('.dist-info/METADATA')]
    open(sys.argv[2], 'wb').write(wheel.read(name))
";
        let library = self.libraries.first().context("no library was built")?;
        let wheel = self.out.join(format!(
            "payspec-{VERSION}-cp311-abi3-{}.whl",
            library.platform.wheel
        ));
        let mut python = Command::new("python3");
        run_checked(
            python
                .args(["-c", PROGRAM])
                .arg(wheel)
                .arg(folder.join("PKG-INFO")),
            "python3",
        )?;
        tar_gz(&folder, &self.out.join(format!("payspec-{VERSION}.tar.gz")))
    }

    /// Copies the workspace with the members that the native module needs.
    fn sources(&self, to: &Path) -> Result<()> {
        for folder in ["core", "bindings/python/src"] {
            copy_tracked(self.root, folder, &to.join(folder))?;
        }
        for file in ["bindings/python/Cargo.toml", "bindings/python/build.rs"] {
            copy(&self.root.join(file), &to.join(file))?;
        }
        let text = fs::read_to_string(self.root.join("Cargo.toml"))?;
        let kept = text.lines().map(|line| match line {
            line if line.starts_with("members = ") => r#"members = ["bindings/python", "core"]"#,
            line if line.starts_with("default-members = ") => r#"default-members = ["core"]"#,
            line => line,
        });
        // Profiles of packages that are not members would be warnings.
        let text: Vec<&str> = kept
            .take_while(|line| !line.starts_with("# One profile for tests"))
            .collect();
        write(&to.join("Cargo.toml"), &(text.join("\n") + "\n"))?;
        copy(&self.root.join("Cargo.lock"), &to.join("Cargo.lock"))?;
        copy(&self.root.join("README.md"), &to.join("README.md"))?;
        // Removes the packages of other members from the lock file.
        let mut cargo = Command::new("cargo");
        cargo
            .args(["metadata", "--format-version=1", "--offline", "--quiet"])
            .current_dir(to);
        let output = cargo.stdout(std::process::Stdio::null()).status()?;
        if output.success() {
            Ok(())
        } else {
            Err(anyhow!("cargo metadata of the sdist failed"))
        }
    }

    /// Builds the package for Composer.
    pub(super) fn php(&self) -> Result<()> {
        let folder = self.stage("php")?;
        copy_tracked(self.root, "bindings/php", &folder)?;
        for (platform, library) in self.shared_libraries() {
            let native = folder.join("native").join(platform.php_folder());
            copy(library, &native.join(platform.library()))?;
        }
        copy(
            &self.root.join("include/payspec.ffi.h"),
            &folder.join("native/payspec.ffi.h"),
        )?;
        // Composer reads the version of an archive from its manifest; that of a repository is a
        // tag.
        let manifest = folder.join("composer.json");
        let text = fs::read_to_string(&manifest).context("composer.json")?;
        let named = "\"name\": \"payspec/payspec\",\n";
        write(
            &manifest,
            &text.replace(named, &format!("{named}    \"version\": \"{VERSION}\",\n")),
        )?;
        zip(
            &folder,
            &self.out.join(format!("payspec-payspec-{VERSION}.zip")),
        )
    }

    /// Builds the files of a repository of Maven: the jar with the libraries and their checksums,
    /// the description of its dependencies, and jars with the sources and the documentation.
    pub(super) fn java(&self) -> Result<()> {
        let folder = self.work.join("java");
        empty(&folder)?;
        let sources = self.root.join("bindings/java/src/main/java");
        let jna = crate::examples::jna();
        let script = "javac -encoding UTF-8 -Xlint:all,-requires-automatic -Werror --release 17 --module-path \"$1\" -d \"$2\" \
                      $(find \"$3\" -name '*.java' | LC_ALL=C sort)";
        let mut javac = Command::new("sh");
        javac
            .args(["-ec", script, "sh", &jna])
            .arg(&folder)
            .arg(&sources);
        run_checked(&mut javac, "javac")?;
        let description = self.root.join("bindings/java/pom.xml");
        copy(
            &description,
            &self.out.join(format!("payspec-{VERSION}.pom")),
        )?;
        // `mvn install:install-file` reads this copy.
        copy(
            &description,
            &folder.join("META-INF/maven/example.payspec/payspec/pom.xml"),
        )?;
        let manifest = format!(
            "Manifest-Version: 1.0\nImplementation-Title: payspec\nImplementation-Version: {VERSION}\nBundle-License: MIT OR \
             Apache-2.0\n\n"
        );
        write(&folder.join("META-INF/MANIFEST.MF"), &manifest)?;
        for license in LICENSES {
            copy(
                &self.root.join(license),
                &folder.join("META-INF").join(license),
            )?;
        }
        for (platform, library) in self.shared_libraries() {
            let native = folder.join("payspec/native").join(platform.java_folder());
            copy(library, &native.join(platform.library()))?;
            write(
                &native.join(format!("{}.sha256", platform.library())),
                &super::sums::sha256(library)?,
            )?;
        }
        zip(&folder, &self.out.join(format!("payspec-{VERSION}.jar")))?;

        let copied = self.stage("java-sources")?;
        copy_tracked(self.root, "bindings/java/src/main/java", &copied)?;
        zip(
            &copied,
            &self.out.join(format!("payspec-{VERSION}-sources.jar")),
        )?;
        let documentation = self.stage("java-documentation")?;
        let mut javadoc = Command::new("javadoc");
        javadoc.args([
            "-quiet",
            "-notimestamp",
            "--release",
            "17",
            "--module-path",
            &jna,
            "-sourcepath",
        ]);
        javadoc
            .arg(&sources)
            .args(["-subpackages", "payspec", "-d"])
            .arg(&documentation);
        text_of(&mut javadoc)?;
        zip(
            &documentation,
            &self.out.join(format!("payspec-{VERSION}-javadoc.jar")),
        )
    }
}
