//! The module for Go.

use super::archive::{copy, copy_tracked, empty, write, zip};
use super::build::Build;
use super::platform::{Platform, System};
use crate::build::install::VERSION;
use crate::support::process::run_checked;
use anyhow::{Context, Result};
use fs_err as fs;
use std::collections::BTreeSet;
use std::process::Command;

impl Build<'_> {
    /// Builds the module for Go: a folder and a zip file of it, in the layout of the module cache.
    pub(super) fn go(&self) -> Result<()> {
        let folder = self.stage("go")?;
        copy_tracked(self.root, "bindings/go", &folder)?;
        // The package of the repository finds an installed library; that of the module contains it.
        let system = fs::read_to_string(folder.join("link.go")).context("link.go")?;
        fs::remove_file(folder.join("link.go")).context("link.go")?;
        write(
            &folder.join("link_system.go"),
            &format!("//go:build payspec_system\n\n{system}"),
        )?;
        let archives = self.archives();
        for (platform, archive) in &archives {
            copy(archive, &folder.join(native(platform)))?;
            let (name, text) = link(platform);
            write(&folder.join(name), &text)?;
        }
        let platforms = archives.iter().map(|(platform, _)| *platform);
        write(&folder.join("link_unsupported.go"), &unsupported(platforms))?;
        copy(
            &self.root.join("include/payspec.h"),
            &folder.join("include/payspec.h"),
        )?;
        let module = self.work.join("go-module");
        empty(&module)?;
        let inside = module.join(format!("payspec.example/payspec@v{VERSION}"));
        run_checked(Command::new("mkdir").arg("-p").arg(&inside), "mkdir")?;
        run_checked(
            Command::new("cp")
                .arg("-r")
                .arg(folder.join("."))
                .arg(&inside),
            "cp",
        )?;
        zip(
            &module,
            &self.out.join(format!("payspec-go-v{VERSION}.zip")),
        )
    }
}

/// Returns the path of a static library in the module.
pub(super) fn native(platform: &Platform) -> String {
    format!("native/{}/libpayspec.a", platform.name)
}

/// Returns the system in names of Go.
pub(super) fn go_system(platform: &Platform) -> &'static str {
    match platform.system {
        System::Linux => "linux",
        System::MacOs => "darwin",
        System::Windows => "windows",
    }
}

/// Returns the name and the text of the file that links the library of a platform.
fn link(platform: &Platform) -> (String, String) {
    let (system, processor) = (go_system(platform), platform.architecture);
    // A library for the other C library would be undefined symbols, or crash.
    let (kind, tag, other, hint) = match platform.system {
        System::Linux if platform.is_musl() => {
            let hint = "glibc: build without -tags musl";
            ("musl", " && musl", "ifdef", hint)
        }
        System::Linux => {
            let hint = "not glibc: build with -tags musl";
            ("glibc", " && !musl", "ifndef", hint)
        }
        System::MacOs | System::Windows => (system, "", "", ""),
    };
    let check = match hint {
        "" => String::new(),
        _ => format!(
            "// #include <stdlib.h>\n// #{other} __GLIBC__\n\
             // #error \"the C library is {hint}\"\n// #endif\n"
        ),
    };
    // GCC and LLVM have other names for the library with the unwinder.
    let libraries = match (system, processor) {
        ("linux", _) => " -lm -ldl -lpthread",
        ("windows", "amd64") => " -lntdll -luserenv -lws2_32 -lgcc_eh",
        ("windows", _) => " -lntdll -luserenv -lws2_32 -lunwind",
        _ => "",
    };
    let text = format!(
        "//go:build {system} && {processor}{tag} && !payspec_system\n\npackage payspec\n\n\
         // #cgo CFLAGS: -I${{SRCDIR}}/include\n\
         // #cgo LDFLAGS: ${{SRCDIR}}/{}{libraries}\n{check}import \"C\"\n",
        native(platform)
    );
    (format!("link_{kind}_{processor}.go"), text)
}

/// Returns the text of the file that is compiled on all platforms but these, and fails.
fn unsupported<'a>(platforms: impl Iterator<Item = &'a Platform>) -> String {
    let tags: BTreeSet<String> = platforms
        .map(|platform| format!("{} && {}", go_system(platform), platform.architecture))
        .collect();
    let others: String = tags.iter().map(|tags| format!(" && !({tags})")).collect();
    format!(
        "//go:build cgo && !payspec_system{others}\n\npackage payspec\n\n\
         // #cgo CFLAGS: -I${{SRCDIR}}/include\n\
         // #error \"payspec has no library for this platform: install libpayspec, and build with \
         -tags payspec_system\"\n\
         import \"C\"\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::platform::{OTHER_SYSTEMS, PLATFORMS};

    #[test]
    fn links_the_library_of_each_platform() {
        let platforms = PLATFORMS.iter().chain(&OTHER_SYSTEMS);
        let files: BTreeSet<(String, String)> = platforms.clone().map(link).collect();
        let names: BTreeSet<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names.len(), platforms.clone().count());
        for (name, tags, library) in [
            (
                "link_musl_amd64.go",
                "linux && amd64 && musl",
                "x86_64-linux-musl",
            ),
            (
                "link_glibc_arm64.go",
                "linux && arm64 && !musl",
                "aarch64-linux-gnu",
            ),
            ("link_darwin_arm64.go", "darwin && arm64", "aarch64-macos"),
            (
                "link_windows_amd64.go",
                "windows && amd64",
                "x86_64-windows",
            ),
        ] {
            let (_, text) = files.iter().find(|(file, _)| file == name).unwrap();
            let tags = format!("//go:build {tags} && !payspec_system\n");
            let library = format!("LDFLAGS: ${{SRCDIR}}/native/{library}/libpayspec.a");
            assert!(text.starts_with(&tags) && text.contains(&library), "{text}");
        }
        let text = unsupported(platforms);
        assert_eq!(text.matches("!(").count(), 6);
        assert!(text.contains(" && !(darwin && amd64) && !(darwin && arm64) && !(linux && amd64)"));
    }
}
