//! The page and its files, as a server answers them.

use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reqwest::{Client, Url};
use sha2::{Digest, Sha384};

use super::inventory::Inventory;
use crate::failure::Failure;
use crate::http_client::http_client;

/// The most bytes of one file. No file of the page is as long.
const LONGEST: usize = 4 * 1024 * 1024;

/// A page and its files.
pub(super) struct Served {
    /// The address of the page.
    pub(super) url: Url,
    /// The headers of the page. The values of a repeated one are joined.
    pub(super) headers: Vec<(String, String)>,
    /// The HTML of the page.
    pub(super) html: Vec<u8>,
    /// The hashes of the files of the inventory, in its order, or their statuses if they are not 200.
    pub(super) files: Vec<Result<String, u16>>,
}

struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Served {
    /// Requests the page, and each file of the inventory.
    pub(super) async fn read(
        url: &Url,
        inventory: &Inventory,
        timeout: Duration,
    ) -> Result<Self, Failure> {
        let client = http_client(timeout)?;
        let page = get(&client, url.clone(), "the page").await?;
        if page.status != 200 {
            let status = page.status;
            return Err(Failure::new(format!(
                "the page is answered with {status}: expected 200"
            )));
        }
        let mut files = Vec::new();
        for file in inventory.files() {
            let path = &file.path;
            let at = url
                .join(path)
                .map_err(|_| Failure::new(format!("{path}: expected a path of the page")))?;
            let answer = get(&client, at, path).await?;
            files.push(match answer.status {
                200 => Ok(integrity(&answer.body)),
                status => Err(status),
            });
        }
        Ok(Self {
            url: url.clone(),
            headers: page.headers,
            html: page.body,
            files,
        })
    }
}

/// Returns the hash of a file as in the attribute `integrity`.
pub(super) fn integrity(bytes: &[u8]) -> String {
    format!("sha384-{}", BASE64_STANDARD.encode(Sha384::digest(bytes)))
}

async fn get(client: &Client, url: Url, name: &str) -> Result<Answer, Failure> {
    let unread = || Failure::new(format!("{name} cannot be read: no server answers in time"));
    let mut response = client.get(url).send().await.map_err(|_| unread())?;
    let mut headers: Vec<(String, String)> = Vec::new();
    for name in response.headers().keys() {
        let values = response.headers().get_all(name).iter();
        let values: Vec<_> = values
            .map(|value| String::from_utf8_lossy(value.as_bytes()))
            .collect();
        headers.push((name.as_str().to_owned(), values.join(", ")));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| unread())? {
        body.extend_from_slice(&chunk);
        if body.len() > LONGEST {
            return Err(Failure::new(format!(
                "{name} has more than {LONGEST} bytes"
            )));
        }
    }
    Ok(Answer {
        status: response.status().as_u16(),
        headers,
        body,
    })
}
