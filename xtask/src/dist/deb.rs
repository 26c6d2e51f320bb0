//! The Debian packages: the library with its symbols file, the files for development, and the
//! command line.

use super::archive::{EPOCH, copy, empty, write};
use super::build::Build;
use super::platform::Libraries;
use super::programs::Programs;
use crate::build::install::{self, HEADERS, VERSION};
use crate::support::process::{output, run_checked};
use anyhow::{Context, Result};
use fs_err as fs;
use payspec_support::abi::SONAME_SUFFIX;
use std::path::Path;
use std::process::Command;

/// Not a revision of Debian, whose first one closes a bug.
const REVISION: &str = "0payspec1";
const MAINTAINER: &str = "payspec maintainers <maintainers@payspec.example>";

/// Builds `libpayspec`, with the end of the SONAME in its name, and `libpayspec-dev` of a platform.
pub(super) fn build(build: &Build<'_>, library: &Libraries) -> Result<()> {
    let triplet = format!("{}-linux-gnu", library.platform.processor);
    let (runtime, development) = (
        format!("libpayspec{SONAME_SUFFIX}"),
        "libpayspec-dev".to_owned(),
    );
    let version = format!("{VERSION}-{REVISION}");

    let folder = build
        .work
        .join(format!("deb-{}", library.platform.architecture));
    let root = folder.join(&runtime);
    empty(&root)?;
    let lib = root.join("usr/lib").join(&triplet);
    let (file, soname) = (
        format!("libpayspec.so.{VERSION}"),
        format!("libpayspec.so.{SONAME_SUFFIX}"),
    );
    copy(&library.shared, &lib.join(&file))?;
    fs::set_permissions(
        lib.join(&file),
        std::os::unix::fs::PermissionsExt::from_mode(0o644),
    )?;
    link(&file, &lib.join(&soname))?;
    let mut symbols: Vec<String> = install::exports()?
        .into_iter()
        .map(|name| format!(" {name}@Base {VERSION}\n"))
        .collect();
    symbols.sort();
    write(
        &root.join("DEBIAN/symbols"),
        &format!("{soname} {runtime} #MINVER#\n{}", symbols.concat()),
    )?;
    write(
        &root.join("DEBIAN/shlibs"),
        &format!("libpayspec {SONAME_SUFFIX} {runtime} (>= {VERSION})\n"),
    )?;
    write(&root.join("DEBIAN/triggers"), "activate-noawait ldconfig\n")?;
    let about = "interface of a payment service as a library";
    let description = format!(
        "{about}\n It validates requests to create payments, builds the exact responses,\n converts amounts to USDT, and \
         evaluates repeated idempotency keys. The library\n is pure: it has no clock, no storage, and no network.\n"
    );
    let architecture = library.platform.architecture;
    let of = |name, section, depends, description| Package {
        name,
        section,
        depends,
        architecture,
        is_library: true,
        description,
    };
    of(&runtime, "libs", "libc6 (>= 2.28)", &description).finish(build, &root)?;

    let root = folder.join(&development);
    empty(&root)?;
    let lib = root.join("usr/lib").join(&triplet);
    copy(&library.archive, &lib.join("libpayspec.a"))?;
    link(&soname, &lib.join("libpayspec.so"))?;
    for header in HEADERS {
        copy(
            &build.root.join("include").join(header),
            &root.join("usr/include").join(header),
        )?;
    }
    install::write_system_metadata(&root, &triplet)?;
    let depends = format!("{runtime} (= {version})");
    let description = format!(
        "{about} (development)\n This package contains the headers, the static library, and files for pkg-config\n and CMake.\n"
    );
    of(&development, "libdevel", &depends, &description).finish(build, &root)
}

/// Builds `payspec` of a processor: the command line, which contains its C library.
pub(super) fn build_program(build: &Build<'_>, programs: &Programs) -> Result<()> {
    let root = build
        .work
        .join(format!("deb-payspec-{}", programs.platform.architecture));
    empty(&root)?;
    build.command_line(programs, &root.join("usr"))?;
    let compress = "for page in \"$1\"/usr/share/man/man1/*; do gzip -9n \"$page\"; done";
    run_checked(
        Command::new("sh").args(["-ec", compress, "sh"]).arg(&root),
        "gzip",
    )?;
    let overrides = "# One program for all versions of Debian.\npayspec: statically-linked-binary [usr/bin/payspec]\n";
    write(&root.join("usr/share/lintian/overrides/payspec"), overrides)?;
    Package {
        name: "payspec",
        section: "utils",
        depends: "",
        architecture: programs.platform.architecture,
        is_library: false,
        description: "command line for the interface of a payment service\n It validates requests to create payments and explains \
                      violations, removes card\n numbers from logs, migrates payments of the legacy API, and runs a payment\n service \
                      to test against.\n",
    }
    .finish(build, &root)
}

fn link(to: &str, link: &Path) -> Result<()> {
    Ok(fs::os::unix::fs::symlink(to, link)?)
}

/// The fields of a control file.
struct Package<'a> {
    name: &'a str,
    section: &'a str,
    /// Packages with their versions, or nothing.
    depends: &'a str,
    architecture: &'a str,
    /// Packages of a library for several processors can be installed beside each other.
    is_library: bool,
    /// The first line is a summary.
    description: &'a str,
}

impl Package<'_> {
    /// Adds documentation and control files to the files in `root`, and writes the package.
    fn finish(&self, build: &Build<'_>, root: &Path) -> Result<()> {
        let Self {
            name,
            section,
            depends,
            architecture,
            is_library,
            description,
        } = self;
        let version = format!("{VERSION}-{REVISION}");
        let documentation = root.join("usr/share/doc").join(name);
        let changelog = format!(
            "payspec ({version}) unstable; urgency=medium\n\n  * The changes are in CHANGELOG.md of the project.\n\n -- \
             {MAINTAINER}  Tue, 01 Jan 1980 00:00:00 +0000\n"
        );
        write(&documentation.join("changelog.Debian"), &changelog)?;
        run_checked(
            Command::new("gzip")
                .args(["-9n"])
                .arg(documentation.join("changelog.Debian")),
            "gzip",
        )?;
        let copyright = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: payspec\n\n\
                         Files: *\nCopyright: the payspec authors\nLicense: MIT or Apache-2.0\n";
        let mit = fs::read_to_string(build.root.join("LICENSE-MIT")).context("LICENSE-MIT")?;
        let mit: String = mit
            .trim_end()
            .lines()
            .map(|line| {
                if line.is_empty() {
                    " .\n".to_owned()
                } else {
                    format!(" {line}\n")
                }
            })
            .collect();
        let licenses = format!(
            "\nLicense: MIT\n{mit}\nLicense: Apache-2.0\n On Debian systems, the full text of the Apache License 2.0 is in\n \
             /usr/share/common-licenses/Apache-2.0.\n"
        );
        write(
            &documentation.join("copyright"),
            &format!("{copyright}{licenses}"),
        )?;
        let readme = if *is_library {
            "bindings/cpp/README.md"
        } else {
            "cli/README.md"
        };
        copy(&build.root.join(readme), &documentation.join("README.md"))?;
        let size = output(
            Command::new("du")
                .args(["-sk", "--apparent-size"])
                .arg(root),
            "du",
        )?;
        let size = String::from_utf8_lossy(&size)
            .split_whitespace()
            .next()
            .unwrap_or("0")
            .to_owned();
        let depends = if depends.is_empty() {
            String::new()
        } else {
            format!("Depends: {depends}\n")
        };
        let multi = if *is_library {
            "Multi-Arch: same\n"
        } else {
            ""
        };
        let text = format!(
            "Package: {name}\nSource: payspec\nVersion: {version}\nArchitecture: {architecture}\n{multi}Maintainer: {MAINTAINER}\n\
             Installed-Size: {size}\n{depends}Section: {section}\nPriority: optional\nDescription: {description}",
        );
        write(&root.join("DEBIAN/control"), &text)?;
        let sums = "cd \"$1\" && find usr -type f | LC_ALL=C sort | xargs md5sum > DEBIAN/md5sums && chmod -R go=rX,u+rwX,a-s .";
        run_checked(
            Command::new("sh").args(["-ec", sums, "sh"]).arg(root),
            "md5sum",
        )?;
        let file = build
            .out
            .join(format!("{name}_{version}_{architecture}.deb"));
        let mut deb = Command::new("dpkg-deb");
        deb.args(["--root-owner-group", "-Zxz", "--build"])
            .arg(root)
            .arg(&file)
            .env("SOURCE_DATE_EPOCH", EPOCH);
        deb.stdout(std::process::Stdio::null());
        run_checked(&mut deb, "dpkg-deb")
    }
}
