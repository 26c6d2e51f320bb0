//! The commands that do one thing and end.

use std::io::Write;
use std::time::Duration;

use payspec_gateway::service::{AdvanceResult, Change};
use payspec_gateway::storage::Storage;
use payspec_gateway::token;
use payspec_gateway::webhook::Secret;
use uuid::Uuid;

use super::failure::Failure;
use super::settings::Settings;
use super::setup;

/// `gateway token new`
pub(super) async fn new_token(settings: &Settings, merchant: &str, quiet: bool) -> Result<(), Failure> {
    let bounds = 1..=255;
    if !bounds.contains(&merchant.chars().count()) || merchant.chars().any(char::is_control) {
        return Err(Failure::new("a merchant's name has 1 to 255 characters and no control characters"));
    }
    let storage = setup::storage(settings).await?;
    let token = token::generate()?;
    let id = Uuid::new_v4().simple().to_string()[..8].to_owned();
    let secret = secret(storage.as_ref(), merchant).await?;
    storage.add_token(&id, &token::hash(&token), merchant).await?;
    let mut out = std::io::stdout().lock();
    if quiet {
        writeln!(out, "{}", *token)?;
    } else {
        writeln!(out, "token: {}", *token)?;
        writeln!(out, "id: {id}")?;
        writeln!(out, "webhook secret: {secret}")?;
    }
    Ok(())
}

/// `gateway token list`
pub(super) async fn list_tokens(settings: &Settings) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    for token in setup::storage(settings).await?.tokens().await? {
        let state = token.revoked_at.map_or_else(|| "in force".to_owned(), |at| format!("revoked {at}"));
        writeln!(out, "{}  {}  {}  {state}", token.id, token.created_at, token.merchant)?;
    }
    Ok(())
}

/// `gateway token revoke`
pub(super) async fn revoke_token(settings: &Settings, id: &str) -> Result<(), Failure> {
    let revoked = setup::storage(settings).await?.revoke_token(id).await?;
    if revoked { Ok(()) } else { Err(Failure::new("there is no token in force with this id")) }
}

/// `gateway secret`, and with hours to keep the old one, `gateway secret --rotate`
pub(super) async fn show_secret(settings: &Settings, merchant: &str, rotate: Option<u32>) -> Result<(), Failure> {
    let storage = setup::storage(settings).await?;
    let unknown = || Failure::new("this merchant has never had a token");
    if let Some(hours) = rotate {
        let keep = Duration::from_secs(u64::from(hours) * 3600);
        if !storage.rotate_secret(merchant, &Secret::generate()?.reveal(), keep).await? {
            return Err(unknown());
        }
        storage.wipe_secrets().await?;
    }
    let secret = storage.secret(merchant).await?.ok_or_else(unknown)?;
    Ok(writeln!(std::io::stdout().lock(), "{secret}")?)
}

/// `gateway merchant-id`
pub(super) async fn merchant_ids(
    settings: &Settings,
    merchant: &str,
    add: &[String],
    remove: &[String],
) -> Result<(), Failure> {
    let storage = setup::storage(settings).await?;
    for (ids, allowed) in [(add, true), (remove, false)] {
        for id in ids {
            storage.set_merchant_id(merchant, id, allowed).await?;
        }
    }
    let mut out = std::io::stdout().lock();
    for id in storage.merchant_ids(merchant).await? {
        writeln!(out, "{id}")?;
    }
    Ok(())
}

/// `gateway advance`
pub(super) async fn advance(settings: &Settings, uid: Uuid, change: &Change) -> Result<(), Failure> {
    let service = setup::service(settings, None).await?;
    match service.advance(&uid.to_string(), change).await? {
        AdvanceResult::Reply(reply) if reply.status == 200 => Ok(writeln!(std::io::stdout().lock(), "{}", reply.body)?),
        AdvanceResult::Reply(reply) => Err(Failure::new(reply.body)),
        AdvanceResult::InvalidChange { path, message } => Err(Failure::new(format!("{path}: {message}"))),
    }
}

/// `gateway migrate`
pub(super) async fn migrate(settings: &Settings) -> Result<(), Failure> {
    let storage = setup::storage(settings).await?;
    setup::fingerprint_key(storage.as_ref()).await.map(drop)
}

/// Returns a merchant's secret, and creates it if the merchant has none.
pub(super) async fn secret(storage: &dyn Storage, merchant: &str) -> Result<String, Failure> {
    Ok(storage.get_or_insert_secret(merchant, &Secret::generate()?.reveal()).await?)
}
