//! The container images: their checksums, their size, and a run of each as an engine would start
//! it, with a read-only file system, without other users' rights, and in a network of its own.

use super::installation::{Packages, isolated};
use crate::dist::image::{IMAGES, Image, USER, file_name};
use crate::support::process::text_of;
use crate::support::process::works;
use crate::support::style::WARN;
use crate::support::test_counts::TestCounts;
use anstream::println;
use anyhow::{Context, Result, bail};
use fs_err as fs;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// The layers of an image, compressed.
const MOST_BYTES: u64 = 15_000_000;

/// Runs a service with the image's command, waits for its health check, which fails before, and
/// runs `$check`.
const RUN: &str = r#"
ip link set lo up
mount --bind "$root" "$root"
mount --bind "$root/data" "$root/data"
mount -o remount,bind,ro "$root"
in_image() { chroot $user "$root" "$@"; }
if touch "$root/file" 2> /dev/null; then echo "the file system can be written"; exit 1; fi
if [ -n "$user" ] && [ "$(stat -c %u "$root")" != 0 ]; then echo "the root folder is not of root"; exit 1; fi
if in_image $health 2> health.txt; then echo "healthy before the start"; exit 1; fi
in_image $entrypoint $arguments > output.txt 2>&1 &
service=$!
trap 'kill $service' EXIT
tries=0
until in_image $health 2> health.txt; do
    tries=$((tries + 1))
    if [ $tries -gt 100 ]; then cat output.txt health.txt; exit 1; fi
    sleep 0.1
done
if in_image $entrypoint --unknown 2> /dev/null; then exit 1; fi
"#;

/// The sandbox conforms.
const SANDBOX: &str = "in_image /payspec conform --url http://127.0.0.1:8085 --token sandbox_default > conform.txt || (cat conform.txt; false)\n";

/// The gateway keeps its tokens in the volume, creates a payment, and serves the page.
const GATEWAY: &str = r#"
token=$(in_image /gateway token new --merchant shop-42 --quiet)
expect() {
    expected=$1
    shift
    status=$(curl --silent --output answer.json --write-out '%{http_code}' "$@")
    if [ "$status" != "$expected" ]; then echo "$status, not $expected: $*"; cat answer.json output.txt; exit 1; fi
}
expect 200 http://127.0.0.1:8080/checkout/
expect 201 -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d "$body" http://127.0.0.1:8080/v1/payments/new
[ -s "$root/data/gateway.db" ]
"#;
const BODY: &str =
    r#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}"#;

/// Runs the checks of all images.
pub(super) fn run(packages: &Packages) -> Result<TestCounts> {
    let mut counts = TestCounts::default();
    let isolates = |options: &[&str]| {
        works(
            Command::new("unshare")
                .args(options)
                .args(["--mount", "--net", "--pid", "--fork", "true"]),
        )
    };
    let may_mount = isolates(&[]);
    let may_start = may_mount || isolates(&["--map-root-user"]);
    if !may_start {
        println!(
            "   {WARN}warning{WARN:#}  the images were not started: this process may not create namespaces"
        );
    }
    for image in &IMAGES {
        for platform in packages.extent.with_programs() {
            let folder = packages.empty(&format!("{}-{}", image.name, platform.architecture))?;
            unpack(
                &packages
                    .dist
                    .join(file_name(image.name, platform.architecture)),
                image,
                &folder,
                may_mount,
            )?;
            counts.add(TestCounts::of_check(true));
            if platform.is_native() && may_start {
                start(image, &folder, may_mount)?;
                counts.add(TestCounts::of_check(true));
            }
        }
    }
    Ok(counts)
}

/// Copies an image with skopeo, which compares all checksums, and unpacks its layers.
fn unpack(file: &Path, image: &Image, folder: &Path, has_owners: bool) -> Result<()> {
    let from = |kind: &str| format!("{kind}:{}", file.display());
    let skopeo = || {
        let mut command = isolated("skopeo", folder);
        command.arg("--insecure-policy");
        command
    };
    text_of(skopeo().args(["copy", &from("oci-archive"), "dir:copied"]))?;
    // What `docker load` reads.
    let saved = parse(&text_of(skopeo().args([
        "inspect",
        "--config",
        &from("docker-archive"),
    ]))?)?;
    if saved["config"]["User"] != format!("{USER}:{USER}")
        || saved["config"]["Entrypoint"] != json!(image.entrypoint)
    {
        bail!("{}: another configuration: {saved}", image.name);
    }
    let manifest = fs::read_to_string(folder.join("copied/manifest.json"))?;
    let manifest = parse(&manifest)?;
    let layers = manifest["layers"].as_array().map_or(&[][..], Vec::as_slice);
    let bytes: u64 = layers
        .iter()
        .filter_map(|layer| layer["size"].as_u64())
        .sum();
    if layers.len() != 2 || bytes > MOST_BYTES {
        bail!(
            "{}: {} layers of {bytes} bytes, more than {MOST_BYTES}",
            image.name,
            layers.len()
        );
    }
    println!(
        "   {}: {bytes} bytes",
        file.file_name().unwrap_or_default().to_string_lossy()
    );
    fs::create_dir_all(folder.join("root"))?;
    for layer in layers {
        let digest = layer["digest"]
            .as_str()
            .and_then(|digest| digest.strip_prefix("sha256:"))
            .context("no digest")?;
        let mut tar = Command::new("tar");
        tar.arg(if has_owners {
            "--same-owner"
        } else {
            "--no-same-owner"
        })
        .args(["--numeric-owner", "-xzf"]);
        tar.arg(folder.join("copied").join(digest))
            .arg("-C")
            .arg(folder.join("root"));
        text_of(&mut tar)?;
    }
    Ok(())
}

/// Runs an image as its user; if this process may not mount, as the user of this process in a
/// namespace of users.
fn start(image: &Image, folder: &Path, may_mount: bool) -> Result<()> {
    let check = if image.name == "payspec-gateway" {
        GATEWAY
    } else {
        SANDBOX
    };
    let mut command = isolated("unshare", folder);
    if !may_mount {
        command.arg("--map-root-user");
    }
    command.args([
        "--mount",
        "--net",
        "--pid",
        "--fork",
        "--kill-child",
        "sh",
        "-ec",
        &format!("{RUN}{check}"),
    ]);
    command
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .env("root", folder.join("root"))
        .env("body", BODY);
    command.env(
        "user",
        if may_mount {
            format!("--userspec={USER}:{USER}")
        } else {
            String::new()
        },
    );
    command
        .env("entrypoint", image.entrypoint.join(" "))
        .env("arguments", image.arguments.join(" "));
    command
        .env("health", image.health.join(" "))
        .envs(image.variables());
    text_of(&mut command).map(|_| ())
}

fn parse(text: &str) -> Result<Value> {
    Ok(serde_json::from_str(text)?)
}
