//! The platforms of the packages, and the native libraries for them.

use crate::build::cross::{Profile, built, without_paths, zigbuild};
use crate::build::install;
use crate::support::process::run_checked;
use anstream::println;
use anyhow::Result;
use fs_err as fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An operating system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum System {
    Linux,
    MacOs,
    Windows,
}

/// A platform: processor, system, and C library.
pub(crate) struct Platform {
    /// The name in files of packages: `x86_64-linux-gnu`.
    pub(crate) name: &'static str,
    pub(crate) system: System,
    /// The target of the compiler.
    pub(crate) target: &'static str,
    /// The oldest glibc that the library needs; empty without glibc.
    pub(crate) glibc: &'static str,
    /// The tag of Python's wheels.
    pub(crate) wheel: &'static str,
    /// The processor, as `uname -m` prints it.
    pub(crate) processor: &'static str,
    /// The architecture of Go and of Debian.
    pub(crate) architecture: &'static str,
    /// The C library, in folders of the jar and of the PHP package; empty on other systems.
    pub(crate) libc: &'static str,
}

/// The platforms of Linux.
pub(crate) const PLATFORMS: [Platform; 4] = [
    Platform {
        name: "x86_64-linux-gnu",
        system: System::Linux,
        target: "x86_64-unknown-linux-gnu",
        glibc: "2.28",
        wheel: "manylinux_2_28_x86_64",
        processor: "x86_64",
        architecture: "amd64",
        libc: "glibc",
    },
    Platform {
        name: "aarch64-linux-gnu",
        system: System::Linux,
        target: "aarch64-unknown-linux-gnu",
        glibc: "2.28",
        wheel: "manylinux_2_28_aarch64",
        processor: "aarch64",
        architecture: "arm64",
        libc: "glibc",
    },
    Platform {
        name: "x86_64-linux-musl",
        system: System::Linux,
        target: "x86_64-unknown-linux-musl",
        glibc: "",
        wheel: "musllinux_1_2_x86_64",
        processor: "x86_64",
        architecture: "amd64",
        libc: "musl",
    },
    Platform {
        name: "aarch64-linux-musl",
        system: System::Linux,
        target: "aarch64-unknown-linux-musl",
        glibc: "",
        wheel: "musllinux_1_2_aarch64",
        processor: "aarch64",
        architecture: "arm64",
        libc: "musl",
    },
];

/// The platforms of macOS and Windows. They have no Debian packages and no images.
pub(crate) const OTHER_SYSTEMS: [Platform; 4] = [
    Platform {
        name: "x86_64-macos",
        system: System::MacOs,
        target: "x86_64-apple-darwin",
        glibc: "",
        wheel: "macosx_11_0_x86_64",
        processor: "x86_64",
        architecture: "amd64",
        libc: "",
    },
    Platform {
        name: "aarch64-macos",
        system: System::MacOs,
        target: "aarch64-apple-darwin",
        glibc: "",
        wheel: "macosx_11_0_arm64",
        processor: "aarch64",
        architecture: "arm64",
        libc: "",
    },
    Platform {
        name: "x86_64-windows",
        system: System::Windows,
        target: "x86_64-pc-windows-gnu",
        glibc: "",
        wheel: "win_amd64",
        processor: "x86_64",
        architecture: "amd64",
        libc: "",
    },
    Platform {
        name: "aarch64-windows",
        system: System::Windows,
        target: "aarch64-pc-windows-gnullvm",
        glibc: "",
        wheel: "win_arm64",
        processor: "aarch64",
        architecture: "arm64",
        libc: "",
    },
];

impl Platform {
    /// Returns whether this machine, which has Linux, runs its programs without an emulator.
    pub(crate) fn is_native(&self) -> bool {
        self.system == System::Linux && self.processor == std::env::consts::ARCH
    }

    /// Returns the name of the command line.
    pub(crate) fn program(&self) -> &'static str {
        match self.system {
            System::Windows => "payspec.exe",
            System::Linux | System::MacOs => "payspec",
        }
    }

    /// Returns the name of the shared library in packages.
    pub(crate) fn library(&self) -> &'static str {
        match self.system {
            System::Linux => "libpayspec.so",
            System::MacOs => "libpayspec.dylib",
            System::Windows => "payspec.dll",
        }
    }

    /// Returns the name of the native module of the Python package, which Python searches for.
    pub(crate) fn python_module(&self) -> &'static str {
        match self.system {
            System::Windows => "_native.pyd",
            System::Linux | System::MacOs => "_native.abi3.so",
        }
    }

    /// Returns the folder of the library in the jar: JNA's name of the platform, and for Linux one
    /// with the C library.
    pub(crate) fn java_folder(&self) -> String {
        let system = match self.system {
            System::Linux => return format!("linux-{}-{}", self.processor, self.libc),
            System::MacOs => "darwin",
            System::Windows => "win32",
        };
        format!("{system}-{}", self.processor.replace('_', "-"))
    }

    /// Returns the folder of the library in the package for Composer.
    pub(crate) fn php_folder(&self) -> String {
        match self.system {
            System::Linux => format!("{}-{}", self.processor, self.libc),
            System::MacOs | System::Windows => self.name.to_owned(),
        }
    }

    /// Returns the ending of archives.
    pub(crate) fn archive(&self) -> &'static str {
        match self.system {
            System::Windows => "zip",
            System::Linux | System::MacOs => "tar.gz",
        }
    }

    /// Returns the folder to pack into an archive with this name. A zip file contains all of the
    /// folder around it.
    pub(crate) fn staged(&self, name: &str) -> String {
        match self.system {
            System::Windows => format!("{name}-zip/{name}"),
            System::Linux | System::MacOs => name.to_owned(),
        }
    }

    /// Returns whether programs contain their C library.
    pub(crate) fn is_musl(&self) -> bool {
        self.libc == "musl"
    }
}

/// The platforms of a build, and with them its profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All platforms, as in a release.
    All,
    /// The platforms of this machine's system and processor, to install a package from a clone.
    Native,
    /// The same platforms without most optimizations, for the step `dist-quick`.
    Quick,
}

impl Extent {
    pub(crate) fn profile(self) -> Profile {
        match self {
            Extent::All | Extent::Native => Profile::Release,
            Extent::Quick => Profile::Quick,
        }
    }

    /// Returns the platforms of Linux with libraries.
    pub(crate) fn linux(self) -> Vec<&'static Platform> {
        PLATFORMS
            .iter()
            .filter(|platform| self == Extent::All || platform.is_native())
            .collect()
    }

    /// Returns the platforms of Linux with programs: those with musl.
    pub(crate) fn with_programs(self) -> Vec<&'static Platform> {
        let linux = self.linux().into_iter();
        linux.filter(|platform| platform.is_musl()).collect()
    }

    /// Returns the platforms of macOS and Windows.
    pub(crate) fn other_systems(self) -> Vec<&'static Platform> {
        match self {
            Extent::All => OTHER_SYSTEMS.iter().collect(),
            Extent::Native | Extent::Quick => Vec::new(),
        }
    }
}

/// The libraries of a platform.
pub(crate) struct Libraries {
    pub(crate) platform: &'static Platform,
    /// libpayspec.so without symbols that are not exported.
    pub(crate) shared: PathBuf,
    /// The debug information of `shared`.
    pub(crate) debug: PathBuf,
    /// libpayspec.a with one object.
    pub(crate) archive: PathBuf,
    /// The native module of the Python package.
    pub(crate) python: PathBuf,
}

/// Builds the libraries of a platform from the sources in `root`.
pub(super) fn build(
    platform: &'static Platform,
    root: &Path,
    folder: &Path,
    profile: Profile,
) -> Result<Libraries> {
    let text = |path: &Path| path.display().to_string();
    let mut flags = without_paths(root);
    if platform.is_musl() {
        // A shared library needs the C library of the system.
        flags += " -Ctarget-feature=-crt-static";
    }
    let triple = match platform.glibc {
        "" => platform.target.to_owned(),
        version => format!("{}.{version}", platform.target),
    };
    let built = built();
    // One after the other: together, both would have a core with the features of both.
    for package in ["payspec-ffi", "payspec-python"] {
        let mut cargo = zigbuild(root, &[package], &triple, profile)?;
        cargo
            .env("RUSTFLAGS", &flags)
            .env("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only");
        run_checked(&mut cargo, "cargo zigbuild")?;
    }
    let built = built.join(platform.target).join(profile.name());
    let folder = folder.join(platform.name);
    fs::create_dir_all(&folder)?;
    let file = |name: &str| folder.join(name);
    let libraries = Libraries {
        platform,
        shared: file("libpayspec.so"),
        debug: file("libpayspec.so.debug"),
        archive: file("libpayspec.a"),
        python: file("_native.abi3.so"),
    };
    let (from, shared, debug) = (
        text(&built.join("libpayspec.so")),
        text(&libraries.shared),
        text(&libraries.debug),
    );
    let prefix = if platform.is_native() {
        String::new()
    } else {
        format!("{}-linux-gnu-", platform.processor)
    };
    let objcopy = format!("{prefix}objcopy");
    tool(&objcopy, &["--only-keep-debug", &from, &debug], &folder)?;
    let module = (
        text(&built.join("libpayspec_native.so")),
        text(&libraries.python),
    );
    for (from, to) in [(from, shared), module] {
        let strip = ["--strip-unneeded", "--remove-section=.comment", &from, &to];
        tool(&objcopy, &strip, &folder)?;
    }
    install::archive(&built.join("libpayspec.a"), &libraries.archive, &prefix)?;
    print_sizes(platform, &libraries.shared, &libraries.archive);
    Ok(libraries)
}

/// Prints the sizes of the libraries of a platform.
pub(super) fn print_sizes(platform: &Platform, shared: &Path, archive: &Path) {
    println!(
        "   {:<18} {} bytes shared, {} static",
        platform.name,
        size(shared),
        size(archive)
    );
}

/// Returns the size of a file in bytes.
pub(super) fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |metadata| metadata.len())
}

fn tool(name: &str, arguments: &[&str], folder: &Path) -> Result<()> {
    run_checked(Command::new(name).args(arguments).current_dir(folder), name)
}

#[cfg(test)]
mod tests {
    use super::{OTHER_SYSTEMS, PLATFORMS};

    /// The tests of the loaders in Java and PHP have the same names.
    #[test]
    fn names_the_folders_in_which_loaders_search() {
        let platforms = PLATFORMS.iter().chain(&OTHER_SYSTEMS);
        let found: Vec<_> = platforms
            .map(|platform| (platform.java_folder(), platform.php_folder()))
            .collect();
        let expected = [
            ("linux-x86_64-glibc", "x86_64-glibc"),
            ("linux-aarch64-glibc", "aarch64-glibc"),
            ("linux-x86_64-musl", "x86_64-musl"),
            ("linux-aarch64-musl", "aarch64-musl"),
            ("darwin-x86-64", "x86_64-macos"),
            ("darwin-aarch64", "aarch64-macos"),
            ("win32-x86-64", "x86_64-windows"),
            ("win32-aarch64", "aarch64-windows"),
        ];
        let expected = expected.map(|(java, php)| (java.to_owned(), php.to_owned()));
        assert_eq!(found, expected);
    }
}
