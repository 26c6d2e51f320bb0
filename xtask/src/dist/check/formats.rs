//! The files for macOS and Windows, as their loaders read them: this machine does not run them.

use super::installation::{Packages, untar, unzip};
use crate::build::install::{VERSION, exports};
use crate::dist::other_systems::{OLDEST_MACOS, PYTHON_EXPORT};
use crate::dist::platform::{OTHER_SYSTEMS, Platform, System};
use crate::support::process::{sysroot, target};
use crate::support::test_counts::TestCounts;
use anyhow::{Context, Result, bail, ensure};
use object::macho::{self, MachHeader64};
use object::read::NameOrOrdinal;
use object::read::archive::ArchiveFile;
use object::read::macho::{LoadCommandVariant, MachOFile};
use object::{Architecture, BinaryFormat, Endianness, File, FileKind, Object, ObjectSymbol};
use payspec_support::abi::SONAME_SUFFIX;
use payspec_support::root;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The libraries of macOS and Windows that files may load. Each exists since the oldest supported
/// version of its system.
const LIBRARIES: [(System, &[&str]); 2] = [
    (System::MacOs, &["/usr/lib/libSystem.B.dylib"]),
    (
        System::Windows,
        &[
            "api-ms-win-core-",
            "api-ms-win-crt-",
            "bcryptprimitives.dll",
            "kernel32.dll",
            "ntdll.dll",
            "userenv.dll",
            "ws2_32.dll",
        ],
    ),
];

/// The libraries that programs may load in addition, for certificates of TLS, random numbers, and
/// folders of users.
const LIBRARIES_OF_PROGRAMS: [(System, &[&str]); 2] = [
    (
        System::MacOs,
        &[
            "/System/Library/Frameworks/CoreFoundation.framework/Versions/A/CoreFoundation",
            "/System/Library/Frameworks/Security.framework/Versions/A/Security",
        ],
    ),
    (
        System::Windows,
        &[
            "advapi32.dll",
            "bcrypt.dll",
            "combase.dll",
            "crypt32.dll",
            "shell32.dll",
        ],
    ),
];

/// A kind of file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Library,
    Program,
    /// The native module of the Python package.
    Module,
}

impl Kind {
    /// Returns the functions that a file exports.
    fn exports(self) -> Result<Vec<String>> {
        match self {
            Kind::Library => exports(),
            Kind::Program => Ok(Vec::new()),
            Kind::Module => Ok(vec![PYTHON_EXPORT.to_owned()]),
        }
    }

    /// Returns the name that programs for macOS contain if they are linked with a file.
    fn install_name(self) -> Option<String> {
        match self {
            Kind::Library => Some(format!("@rpath/libpayspec.{SONAME_SUFFIX}.dylib")),
            Kind::Program => None,
            Kind::Module => Some("@rpath/_native.abi3.so".to_owned()),
        }
    }
}

/// Unpacks the archives of each platform, and checks the library and the command line: format,
/// processor, exports, loaded libraries, signature, and paths of this machine.
pub(super) fn run(packages: &Packages) -> Result<TestCounts> {
    let mut counts = TestCounts::default();
    for platform in &OTHER_SYSTEMS {
        let folder = unpacked(packages, platform, "payspec-")?;
        let name = match platform.system {
            System::Windows => "bin/payspec.dll",
            _ => "lib/libpayspec.dylib",
        };
        checked(&folder.join(name), platform, Kind::Library)
            .with_context(|| format!("the library of {}", platform.name))?;
        checked_archive(&folder.join("lib/libpayspec.a"), platform)
            .with_context(|| format!("the static library of {}", platform.name))?;
        let folder = unpacked(packages, platform, "payspec-cli-")?;
        let program = folder.join("bin").join(platform.program());
        checked(&program, platform, Kind::Program)
            .with_context(|| format!("the program of {}", platform.name))?;
        counts.add(TestCounts {
            passed: 3,
            failed: 0,
        });
    }
    Ok(counts)
}

/// Unpacks the archive of a platform whose name starts so.
pub(super) fn unpacked(packages: &Packages, platform: &Platform, start: &str) -> Result<PathBuf> {
    let name = format!("{start}{VERSION}-{}", platform.name);
    let file = packages.dist.join(format!("{name}.{}", platform.archive()));
    let folder = packages.empty(&name)?;
    if platform.system == System::Windows {
        unzip(&file, &folder)?;
        return Ok(folder.join(&name));
    }
    untar(&file, &folder)?;
    Ok(folder)
}

/// Checks a file of a platform.
pub(super) fn checked(file: &Path, platform: &Platform, kind: Kind) -> Result<()> {
    let bytes = fs_err::read(file)?;
    has_no_paths(&bytes)?;
    let object = File::parse(&*bytes)?;
    is_for(&object, platform)?;
    let prefix = prefix(platform);
    let expected: BTreeSet<String> = kind
        .exports()?
        .iter()
        .map(|name| format!("{prefix}{name}"))
        .collect();
    let mut found = BTreeSet::new();
    for export in object.exports()? {
        match export?.name() {
            NameOrOrdinal::Name(name) => found.insert(String::from_utf8_lossy(name).into_owned()),
            NameOrOrdinal::Ordinal(number) => bail!("the export {number} has no name"),
        };
    }
    // A program exports only the start of its image.
    found.remove("__mh_execute_header");
    let differing: Vec<&String> = found.symmetric_difference(&expected).take(5).collect();
    ensure!(differing.is_empty(), "other exports: {differing:?}");
    let mut loaded = BTreeSet::new();
    if let File::MachO64(mach) = &object {
        let commands = Commands::of(mach)?;
        commands.check(kind)?;
        let is_signed = signature(&bytes, &commands)?;
        ensure!(
            is_signed || platform.processor == "x86_64",
            "arm64 runs no file without a signature"
        );
        loaded = commands.loaded;
    }
    loads_known_libraries(&object, loaded, platform, kind)
}

/// Fails if a file has another format, or is for another processor.
fn is_for(object: &File<'_>, platform: &Platform) -> Result<()> {
    let formats = match platform.system {
        System::MacOs => [BinaryFormat::MachO; 2],
        // The latter is that of objects.
        System::Windows => [BinaryFormat::Pe, BinaryFormat::Coff],
        System::Linux => [BinaryFormat::Elf; 2],
    };
    let processor = match platform.processor {
        "x86_64" => Architecture::X86_64,
        _ => Architecture::Aarch64,
    };
    ensure!(
        formats.contains(&object.format()) && object.architecture() == processor,
        "expected {formats:?} for {processor:?}"
    );
    Ok(())
}

/// Returns the text before names of C, which Apple's linker writes.
fn prefix(platform: &Platform) -> &'static str {
    match platform.system {
        System::MacOs => "_",
        System::Linux | System::Windows => "",
    }
}

/// Fails if a file loads a library that may be missing, or needs a function of no library. Only a
/// module of Python takes functions from the interpreter: on macOS by their names alone.
fn loads_known_libraries(
    object: &File<'_>,
    mut loaded: BTreeSet<String>,
    platform: &Platform,
    kind: Kind,
) -> Result<()> {
    let mut is_for_python = false;
    for import in object.imports()? {
        let import = import?;
        if !import.library().is_empty() {
            loaded.insert(String::from_utf8_lossy(import.library()).to_lowercase());
            continue;
        }
        let is_python = matches!(import.name(), NameOrOrdinal::Name(name)
            if name.starts_with(b"_Py") || name.starts_with(b"__Py"));
        ensure!(is_python, "{import:?} is in no library");
        is_for_python = true;
    }
    is_for_python |= loaded.remove("python3.dll");
    let of_program: &[_] = match kind {
        Kind::Program => &LIBRARIES_OF_PROGRAMS,
        Kind::Library | Kind::Module => &[],
    };
    let lists = LIBRARIES.iter().chain(of_program);
    let known: Vec<&str> = lists
        .filter(|(system, _)| *system == platform.system)
        .flat_map(|(_, names)| names.iter().copied())
        .collect();
    for library in &loaded {
        let is_known = known
            .iter()
            .any(|start| library.starts_with(&start.to_lowercase()));
        ensure!(is_known, "loads {library}");
    }
    ensure!(!loaded.is_empty(), "loads nothing");
    ensure!(
        is_for_python == (kind == Kind::Module),
        "only a module of Python calls the interpreter"
    );
    Ok(())
}

/// Checks a static library: each object is for the platform, and together they define the functions
/// of the header.
pub(super) fn checked_archive(file: &Path, platform: &Platform) -> Result<()> {
    let bytes = fs_err::read(file)?;
    has_no_paths(&bytes)?;
    let archive = ArchiveFile::parse(&*bytes)?;
    let mut defined = BTreeSet::new();
    for member in archive.members() {
        let member = member?;
        let data = member.data(&*bytes)?;
        // An import of a library of Windows has its own format, and no code.
        if FileKind::parse(data)? == FileKind::CoffImport {
            continue;
        }
        let object = File::parse(data)?;
        is_for(&object, platform)
            .with_context(|| String::from_utf8_lossy(member.name()).into_owned())?;
        for symbol in object.symbols() {
            if symbol.is_global() && !symbol.is_undefined() {
                defined.insert(symbol.name()?.to_owned());
            }
        }
    }
    let prefix = prefix(platform);
    for name in exports()? {
        let name = format!("{prefix}{name}");
        ensure!(defined.contains(&name), "{name} is not defined");
    }
    Ok(())
}

/// Fails if the bytes contain the path of a folder of this machine.
fn has_no_paths(bytes: &[u8]) -> Result<()> {
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    let folders = [
        Some(root().join("core")),
        Some(root().join("cli")),
        Some(target()),
        sysroot(),
        Some(home.join(".cargo")),
        Some(home.join(".cache")),
    ];
    let text = String::from_utf8_lossy(bytes);
    // The builds write `/payspec` instead of the folder of the sources.
    for folder in folders
        .iter()
        .flatten()
        .filter(|folder| !folder.starts_with("/payspec"))
    {
        let path = format!("{}/", folder.display());
        ensure!(!text.contains(&path), "contains the path {path}");
    }
    Ok(())
}

/// The load commands of a Mach-O file.
#[derive(Default)]
struct Commands {
    install_name: Option<String>,
    loaded: BTreeSet<String>,
    search_paths: usize,
    oldest: Option<(u32, u32)>,
    /// The place of the signature, and its length.
    signature: Option<(usize, usize)>,
}

impl Commands {
    fn of(file: &MachOFile<'_, MachHeader64<Endianness>>) -> Result<Commands> {
        let endian = file.endian();
        let mut found = Commands::default();
        let mut commands = file.macho_load_commands()?;
        while let Some(command) = commands.next()? {
            let text = |name| -> Result<String> {
                Ok(String::from_utf8_lossy(command.string(endian, name)?).into_owned())
            };
            match command.variant()? {
                LoadCommandVariant::IdDylib(id) => {
                    found.install_name = Some(text(id.dylib.name)?);
                }
                LoadCommandVariant::Dylib(library) => {
                    found
                        .loaded
                        .insert(text(library.dylib.name)?.to_lowercase());
                }
                LoadCommandVariant::Rpath(_) => found.search_paths += 1,
                LoadCommandVariant::BuildVersion(version, _) => {
                    let oldest = version.minos.get(endian).0;
                    found.oldest = Some((oldest >> 16, (oldest >> 8) & 0xff));
                }
                LoadCommandVariant::LinkeditData(data)
                    if command.cmd() == macho::LC_CODE_SIGNATURE =>
                {
                    let [offset, length] = [data.dataoff.get(endian), data.datasize.get(endian)];
                    found.signature = Some((usize::try_from(offset)?, usize::try_from(length)?));
                }
                _ => {}
            }
        }
        Ok(found)
    }

    fn check(&self, kind: Kind) -> Result<()> {
        ensure!(
            self.install_name == kind.install_name(),
            "has the install name {:?}",
            self.install_name
        );
        ensure!(self.search_paths == 0, "searches folders for libraries");
        let oldest = self.oldest.map(|(major, minor)| format!("{major}.{minor}"));
        ensure!(
            oldest.as_deref() == Some(OLDEST_MACOS),
            "needs macOS {oldest:?}"
        );
        Ok(())
    }
}

/// Returns whether a Mach-O file has an ad hoc signature: hashes of its pages without a
/// certificate.
///
/// # Errors
/// Returns an error if a hash is not that of its page, with which arm64 ends the process.
fn signature(file: &[u8], commands: &Commands) -> Result<bool> {
    const SUPER_BLOB: u32 = 0xfade_0cc0;
    const DIRECTORY: u32 = 0xfade_0c02;
    const AD_HOC: u32 = 2;
    let Some((offset, length)) = commands.signature else {
        return Ok(false);
    };
    let blob = file
        .get(offset..)
        .and_then(|rest| rest.get(..length))
        .context("the signature ends after the file")?;
    ensure!(number(blob, 0)? == SUPER_BLOB, "the signature has no start");
    // The first entry of the index, whose second number is the place of the blob.
    let directory = blob
        .get(number(blob, 16)? as usize..)
        .context("the directory of hashes is outside the signature")?;
    ensure!(number(directory, 0)? == DIRECTORY, "no directory of hashes");
    ensure!(number(directory, 12)? & AD_HOC != 0, "not signed ad hoc");
    let [first, count, signed] = [16, 28, 32].map(|at| number(directory, at));
    let hashes = directory
        .get(first? as usize..)
        .context("the hashes are outside the directory")?
        .chunks(Sha256::output_size());
    ensure!(
        signed? as usize == offset,
        "the signature covers another part"
    );
    let page = 1_usize << directory.get(39).context("no size of pages")?;
    let pages = file.get(..offset).unwrap_or_default().chunks(page);
    ensure!(pages.len() == count? as usize, "another number of pages");
    for (index, (page, hash)) in pages.zip(hashes).enumerate() {
        ensure!(
            Sha256::digest(page)[..] == *hash,
            "page {index} has another hash"
        );
    }
    Ok(true)
}

/// Returns the big-endian number at a place of a signature.
fn number(bytes: &[u8], at: usize) -> Result<u32> {
    let bytes = bytes.get(at..).and_then(|rest| rest.first_chunk());
    Ok(u32::from_be_bytes(
        *bytes.context("the signature is too short")?,
    ))
}
