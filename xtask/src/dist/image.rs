//! The container images of the sandbox and of the gateway: one static program each, without a base
//! image.
//!
//! A file is an OCI image layout with the manifest of `docker save` beside it, so that `docker
//! load`, `podman load`, and `skopeo copy oci-archive:…` read it.

use super::archive::{copy, empty, tar, write};
use super::build::{Build, LICENSES};
use super::programs::Programs;
use super::sums::sha256;
use crate::build::install::VERSION;
use crate::support::process::run_checked;
use anyhow::{Context, Result};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use fs_err as fs;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The user of the process, and the owner of its data.
pub(super) const USER: u32 = 65_532;
const ROOT: u32 = 0;
const CREATED: &str = "1980-01-01T00:00:00Z";
const SECOND: u64 = 1_000_000_000;

/// An image.
pub(super) struct Image {
    pub(super) name: &'static str,
    about: &'static str,
    program: fn(&Programs) -> &Path,
    /// Whether it serves the page from a folder; the sandbox contains it.
    has_page: bool,
    environment: &'static [&'static str],
    pub(super) entrypoint: &'static [&'static str],
    pub(super) arguments: &'static [&'static str],
    port: &'static str,
    pub(super) health: &'static [&'static str],
}

impl Image {
    /// Returns the names and values of the environment.
    pub(super) fn variables(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.environment
            .iter()
            .filter_map(|variable| variable.split_once('='))
    }
}

pub(super) const IMAGES: [Image; 2] = [
    Image {
        name: "payspec-sandbox",
        about: "A payment service to test against",
        program: |programs| &programs.payspec,
        has_page: false,
        environment: &[],
        entrypoint: &["/payspec", "sandbox"],
        arguments: &[
            "--listen",
            "0.0.0.0:8085",
            "--public-url",
            "http://localhost:8085",
        ],
        port: "8085/tcp",
        health: &["/payspec", "sandbox", "--probe", "http://127.0.0.1:8085"],
    },
    Image {
        name: "payspec-gateway",
        about: "The payment service of the specification",
        program: |programs| &programs.gateway,
        has_page: true,
        environment: &[
            "GATEWAY_LISTEN=0.0.0.0:8080",
            "GATEWAY_DATABASE=sqlite:/data/gateway.db",
            "GATEWAY_PAGE=/page",
        ],
        entrypoint: &["/gateway"],
        arguments: &["serve"],
        port: "8080/tcp",
        health: &["/gateway", "ready"],
    },
];

/// A file of the layout that others name by its checksum.
struct Blob {
    kind: &'static str,
    digest: String,
    bytes: u64,
}

impl Blob {
    /// Moves a file to its place in a layout.
    fn of(file: &Path, kind: &'static str, layout: &Path) -> Result<Self> {
        let (digest, bytes) = (sha256(file)?, file.metadata()?.len());
        copy(file, &layout.join("blobs/sha256").join(&digest))?;
        Ok(Self {
            kind,
            digest,
            bytes,
        })
    }

    fn of_json(document: &Value, kind: &'static str, layout: &Path, work: &Path) -> Result<Self> {
        let file = work.join("blob.json");
        write(&file, &document.to_string())?;
        Self::of(&file, kind, layout)
    }

    fn descriptor(&self) -> Value {
        json!({"mediaType": self.kind, "digest": format!("sha256:{}", self.digest), "size": self.bytes})
    }

    fn path(&self) -> String {
        format!("blobs/sha256/{}", self.digest)
    }
}

impl Build<'_> {
    /// Builds the images of both processors.
    pub(super) fn images(&self) -> Result<()> {
        for programs in self.programs {
            IMAGES
                .iter()
                .try_for_each(|image| self.image(image, programs))?;
        }
        Ok(())
    }

    fn image(&self, image: &Image, programs: &Programs) -> Result<()> {
        let architecture = programs.platform.architecture;
        let work = self.work.join(format!("{}-{architecture}", image.name));
        empty(&work)?;
        let layout = work.join("layout");
        let mut layers = Vec::new();
        let mut sums = Vec::new();
        for (name, user) in [("files", ROOT), ("data", USER)] {
            let folder = work.join(name);
            match user {
                ROOT => self.files(image, programs, &folder)?,
                _ => fs::create_dir_all(folder.join("data")).context("data")?,
            }
            let archive = work.join(format!("{name}.tar"));
            tar(&folder, &archive, user)?;
            sums.push(format!("sha256:{}", sha256(&archive)?));
            run_checked(Command::new("gzip").arg("-9n").arg(&archive), "gzip")?;
            let compressed = work.join(format!("{name}.tar.gz"));
            layers.push(Blob::of(
                &compressed,
                "application/vnd.oci.image.layer.v1.tar+gzip",
                &layout,
            )?);
        }
        let config = Blob::of_json(
            &config(image, architecture, &sums),
            "application/vnd.oci.image.config.v1+json",
            &layout,
            &work,
        )?;
        let manifest = json!({
            "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config.descriptor(),
            "layers": layers.iter().map(Blob::descriptor).collect::<Vec<_>>(),
        });
        let manifest = Blob::of_json(
            &manifest,
            "application/vnd.oci.image.manifest.v1+json",
            &layout,
            &work,
        )?;
        let tag = format!("{}:{VERSION}", image.name);
        let mut described = manifest.descriptor();
        described["platform"] = json!({"architecture": architecture, "os": "linux"});
        described["annotations"] = json!({"org.opencontainers.image.ref.name": VERSION, "io.containerd.image.name": format!("docker.io/library/{tag}")});
        let index = json!({
            "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [described],
        });
        write(&layout.join("index.json"), &index.to_string())?;
        write(
            &layout.join("oci-layout"),
            r#"{"imageLayoutVersion":"1.0.0"}"#,
        )?;
        let paths: Vec<String> = layers.iter().map(Blob::path).collect();
        let saved = json!([{"Config": config.path(), "RepoTags": [tag], "Layers": paths}]);
        write(&layout.join("manifest.json"), &saved.to_string())?;
        tar(
            &layout,
            &self.out.join(file_name(image.name, architecture)),
            ROOT,
        )
    }

    /// Copies what the image contains besides its data.
    fn files(&self, image: &Image, programs: &Programs, folder: &Path) -> Result<()> {
        let program = (image.program)(programs);
        copy(
            program,
            &folder.join(program.file_name().unwrap_or_default()),
        )?;
        for license in LICENSES {
            copy(
                &self.root.join(license),
                &folder.join("usr/share/doc/payspec").join(license),
            )?;
        }
        write(
            &folder.join("etc/ssl/certs/ca-certificates.crt"),
            &authorities(),
        )?;
        write(
            &folder.join("etc/passwd"),
            &format!("payspec:x:{USER}:{USER}::/data:/sbin/nologin\n"),
        )?;
        write(&folder.join("etc/group"), &format!("payspec:x:{USER}:\n"))?;
        if image.has_page {
            run_checked(
                Command::new("cp")
                    .arg("-r")
                    .arg(self.page)
                    .arg(folder.join("page")),
                "cp",
            )?;
        }
        Ok(())
    }
}

/// Returns the name of an image's file.
pub(super) fn file_name(image: &str, architecture: &str) -> PathBuf {
    PathBuf::from(format!("{image}-{VERSION}-linux-{architecture}.oci.tar"))
}

/// Returns the configuration. `Healthcheck` is not of OCI, but builders write it and engines read
/// it.
fn config(image: &Image, architecture: &str, sums: &[String]) -> Value {
    let health: Vec<&str> = ["CMD"]
        .into_iter()
        .chain(image.health.iter().copied())
        .collect();
    json!({
        "created": CREATED, "architecture": architecture, "os": "linux",
        "config": {
            "User": format!("{USER}:{USER}"), "WorkingDir": "/data", "Volumes": {"/data": {}},
            "ExposedPorts": {image.port: {}}, "Env": image.environment,
            "Entrypoint": image.entrypoint, "Cmd": image.arguments,
            "Healthcheck": {
                "Test": health, "Interval": 10 * SECOND, "Timeout": 6 * SECOND, "StartPeriod": 5 * SECOND, "Retries": 3,
            },
            "Labels": {
                "org.opencontainers.image.title": image.name, "org.opencontainers.image.description": image.about,
                "org.opencontainers.image.version": VERSION, "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
            },
        },
        "rootfs": {"type": "layers", "diff_ids": sums},
        "history": sums.iter().map(|_| json!({"created": CREATED, "created_by": "cargo xtask dist"})).collect::<Vec<_>>(),
    })
}

/// Returns the certificates of Mozilla's authorities, which rustls reads where Debian has them.
fn authorities() -> String {
    let certificate = |der: &[u8]| {
        let text = BASE64_STANDARD.encode(der);
        let lines: Vec<&str> = (0..text.len())
            .step_by(64)
            .map(|at| &text[at..text.len().min(at + 64)])
            .collect();
        format!(
            "-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n",
            lines.join("\n")
        )
    };
    webpki_root_certs::TLS_SERVER_ROOT_CERTS
        .iter()
        .map(|der| certificate(der))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::archive::EPOCH;

    #[test]
    fn times_are_the_epoch_of_packages() {
        let printed = Command::new("date")
            .args(["-u", "-d", &format!("@{EPOCH}"), "+%Y-%m-%dT%H:%M:%SZ"])
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&printed.stdout).trim(), CREATED);
    }

    #[test]
    fn authorities_are_pem() {
        let text = authorities();
        assert!(text.matches("BEGIN CERTIFICATE").count() > 50);
        assert!(text.lines().all(|line| line.len() <= 64));
    }
}
