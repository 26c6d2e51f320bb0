//! A bill of materials for each package: CycloneDX 1.5 in JSON.

use super::archive::{files, write};
use super::platform::{OTHER_SYSTEMS, Platform};
use super::registries::{node_processor, node_system};
use super::sums::sha256;
use crate::build::install::VERSION;
use anyhow::{Context, Result};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package, PackageId};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The platforms whose dependencies are listed. Those of musl are the same as those of glibc.
const NATIVE: &str = "x86_64-unknown-linux-gnu";
const WASM: &str = "wasm32-unknown-unknown";
/// The crate of the npm package.
const NPM: &str = "payspec-wasm";

/// Writes `NAME.cdx.json` for each package in a folder.
pub(super) fn write_sboms(root: &Path, folder: &Path) -> Result<()> {
    let (native, wasm, checksums) = (
        metadata(root, NATIVE)?,
        metadata(root, WASM)?,
        checksums(root)?,
    );
    let others = OTHER_SYSTEMS.iter();
    let others = others.map(|platform| Ok((platform, metadata(root, platform.target)?)));
    let others: Vec<(&Platform, Metadata)> = others.collect::<Result<_>>()?;
    for file in files(folder)? {
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if !has_bill(&name) {
            continue;
        }
        let reference = format!("pkg:generic/payspec@{VERSION}?file_name={name}");
        let package = package_in(&name);
        let other = others.iter().find(|(platform, _)| is_for(&name, platform));
        let metadata = match other {
            Some((_, metadata)) => metadata,
            None if package == NPM => &wasm,
            None => &native,
        };
        let (components, mut dependencies) = crates(metadata, &checksums, package)?;
        dependencies.insert(
            0,
            json!({"ref": reference, "dependsOn": [purl(package, VERSION)]}),
        );
        let document = json!({
            "bomFormat": "CycloneDX",
            "specVersion": "1.5",
            "version": 1,
            "metadata": {"component": {
                "bom-ref": reference, "type": "library", "name": "payspec", "version": VERSION, "purl": reference,
                "licenses": [{"expression": "MIT OR Apache-2.0"}],
                "hashes": [{"alg": "SHA-256", "content": sha256(&file)?}],
            }},
            "components": components,
            "dependencies": dependencies,
        });
        let text = serde_json::to_string_pretty(&document)?;
        write(&folder.join(format!("{name}.cdx.json")), &(text + "\n"))?;
    }
    Ok(())
}

/// Returns whether a file contains code: not a description, checksums, or debug information.
pub(super) fn has_bill(name: &str) -> bool {
    let is_text = name.ends_with("-sources.jar") || name.ends_with("-javadoc.jar");
    !(name.ends_with(".json")
        || name == "SHA256SUMS"
        || name.contains("-debug.")
        || name.ends_with(".pom")
        || name.ends_with(".rb")
        || is_text)
}

fn purl(name: &str, version: &str) -> String {
    format!("pkg:cargo/{name}@{version}")
}

/// Returns the package of the workspace that a file contains: a program, or the library.
fn package_in(file: &str) -> &'static str {
    match file {
        file if file.starts_with("payspec-gateway-") => "payspec-gateway",
        file if file.starts_with("payspec-sandbox-") || file.starts_with("payspec-cli-") => {
            "payspec-cli"
        }
        file if file.starts_with("payspec_") => "payspec-cli",
        file if file.ends_with(".tgz") => NPM,
        file if file.starts_with("payspec-") && file.ends_with(".whl") => "payspec-python",
        _ => "payspec-ffi",
    }
}

/// Returns whether the name of a package has that of a platform of macOS or Windows, as archives,
/// PyPI, or npm write it.
fn is_for(file: &str, platform: &Platform) -> bool {
    let node = format!("-{}-{}-", node_system(platform).0, node_processor(platform));
    [platform.name, platform.wheel, &node]
        .iter()
        .any(|word| file.contains(word))
}

fn metadata(root: &Path, platform: &str) -> Result<Metadata> {
    let mut command = MetadataCommand::new();
    command.current_dir(root);
    command.other_options(vec![
        "--locked".to_owned(),
        format!("--filter-platform={platform}"),
    ]);
    Ok(command.exec()?)
}

/// The checksums of crates, by name and version.
type Checksums = BTreeMap<(String, String), String>;

/// Returns the crates that a package is built of, and the dependencies between them.
fn crates(
    metadata: &Metadata,
    checksums: &Checksums,
    package: &str,
) -> Result<(Vec<Value>, Vec<Value>)> {
    let packages: BTreeMap<&PackageId, &Package> = metadata
        .packages
        .iter()
        .map(|package| (&package.id, package))
        .collect();
    let resolve = metadata
        .resolve
        .as_ref()
        .context("cargo metadata resolved nothing")?;
    let start = metadata
        .packages
        .iter()
        .find(|known| known.name.as_str() == package)
        .context("the package is unknown")?;
    let (mut seen, mut next) = (BTreeSet::new(), vec![&start.id]);
    let (mut components, mut dependencies) = (BTreeMap::new(), BTreeMap::new());
    while let Some(id) = next.pop() {
        let (Some(package), true) = (packages.get(id), seen.insert(id)) else {
            continue;
        };
        let node = resolve
            .nodes
            .iter()
            .find(|node| node.id == *id)
            .context("a package without a node")?;
        let is_normal = |dependency: &&cargo_metadata::NodeDep| {
            dependency
                .dep_kinds
                .iter()
                .any(|kind| kind.kind == DependencyKind::Normal)
        };
        let needed: Vec<&PackageId> = node
            .deps
            .iter()
            .filter(is_normal)
            .map(|dependency| &dependency.pkg)
            .collect();
        let name = |package: &Package| purl(package.name.as_str(), &package.version.to_string());
        let mut names: Vec<String> = needed
            .iter()
            .filter_map(|id| packages.get(*id))
            .map(|package| name(package))
            .collect();
        names.sort();
        let reference = name(package);
        let mut component = json!({
            "bom-ref": reference, "type": "library", "name": package.name.as_str(),
            "version": package.version.to_string(), "purl": reference,
        });
        if let Some(license) = &package.license {
            component["licenses"] = json!([{"expression": license.replace('/', " OR ")}]);
        }
        if let Some(sum) = checksums.get(&(package.name.to_string(), package.version.to_string())) {
            component["hashes"] = json!([{"alg": "SHA-256", "content": sum}]);
        }
        components.insert(reference.clone(), component);
        dependencies.insert(
            reference.clone(),
            json!({"ref": reference, "dependsOn": names}),
        );
        next.extend(needed);
    }
    Ok((
        components.into_values().collect(),
        dependencies.into_values().collect(),
    ))
}

/// Returns the checksums in Cargo.lock.
fn checksums(root: &Path) -> Result<Checksums> {
    let text = fs_err::read_to_string(root.join("Cargo.lock")).context("Cargo.lock")?;
    let lock: toml::Table = toml::from_str(&text)?;
    let packages = lock
        .get("package")
        .and_then(toml::Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    let member = |package: &toml::Value, name: &str| Some(package.get(name)?.as_str()?.to_owned());
    let sum = |package: &toml::Value| {
        Some((
            (member(package, "name")?, member(package, "version")?),
            member(package, "checksum")?,
        ))
    };
    Ok(packages.iter().filter_map(sum).collect())
}

#[cfg(test)]
mod tests {
    use super::{OTHER_SYSTEMS, is_for};

    #[test]
    fn finds_the_system_of_a_package_in_its_name() {
        for (file, expected) in [
            ("payspec-0.1.0-aarch64-macos.tar.gz", &["aarch64-macos"][..]),
            (
                "payspec_cli-0.1.0-py3-none-win_amd64.whl",
                &["x86_64-windows"],
            ),
            ("payspec-cli-darwin-x64-0.1.0.tgz", &["x86_64-macos"]),
            (
                "payspec-0.1.0-cp311-abi3-macosx_11_0_arm64.whl",
                &["aarch64-macos"],
            ),
            ("payspec-cli-0.1.0-x86_64-linux-musl.tar.gz", &[]),
            ("payspec-cli-linux-x64-0.1.0.tgz", &[]),
        ] {
            let found = OTHER_SYSTEMS
                .iter()
                .filter(|platform| is_for(file, platform));
            let found: Vec<&str> = found.map(|platform| platform.name).collect();
            assert_eq!(found, expected, "{file}");
        }
    }
}
