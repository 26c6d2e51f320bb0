//! The commands that end after one action.

use std::io::Write;
use std::time::Duration;

use payspec_gateway::secret_keys::SecretKeys;
use payspec_gateway::service::{AdvanceResult, AuditedActor, Change};
use payspec_gateway::storage::{Actor, Administration, Audit, TokenKind, TokenOwner};
use payspec_gateway::token;
use payspec_gateway::webhook::Secret;
use url::Url;
use uuid::Uuid;
use zeroize::Zeroizing;

use super::failure::Failure;
use super::settings::Settings;
use super::setup;

/// Returns the user of this machine who runs the program.
fn actor() -> Actor {
    let operator = format!("user {} of the machine", rustix::process::getuid().as_raw());
    Actor {
        operator,
        origin: rustix::system::uname()
            .nodename()
            .to_string_lossy()
            .into_owned(),
    }
}

/// Returns an action of this program. Its values are not secret.
fn done<'a>(actor: &'a Actor, action: &'static str, subject: &'a str) -> Audit<'a> {
    Audit {
        actor,
        action,
        subject,
        before: None,
        after: None,
        result: "done",
    }
}

/// `gateway token new` and `gateway operator new`
pub(super) async fn new_token(
    settings: &Settings,
    kind: TokenKind,
    name: &str,
    quiet: bool,
) -> Result<(), Failure> {
    check_name(name)?;
    let storage = setup::storage(settings).await?;
    let token = token::generate()?;
    let id = Uuid::new_v4().simple().to_string()[..8].to_owned();
    let (secret, action) = match kind {
        TokenKind::Merchant => (Some(secret(storage.as_ref(), name).await?), "token new"),
        TokenKind::Operator => (None, "operator new"),
    };
    let owner = TokenOwner {
        id,
        name: name.to_owned(),
    };
    let actor = actor();
    let audit = Audit {
        after: Some(name),
        ..done(&actor, action, &owner.id)
    };
    storage
        .add_token(kind, &owner, &token::hash(&token), audit)
        .await?;
    let mut out = std::io::stdout().lock();
    if quiet {
        writeln!(out, "{}", *token)?;
        return Ok(());
    }
    writeln!(out, "token: {}", *token)?;
    writeln!(out, "id: {}", owner.id)?;
    if let Some(secret) = secret {
        writeln!(out, "webhook secret: {}", *secret)?;
    }
    Ok(())
}

/// `gateway token list` and `gateway operator list`
pub(super) async fn list_tokens(settings: &Settings, kind: TokenKind) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    for token in setup::storage(settings).await?.tokens(kind).await? {
        let state = token
            .revoked_at
            .map_or_else(|| "in force".to_owned(), |at| format!("revoked {at}"));
        writeln!(
            out,
            "{}  {}  {}  {state}",
            token.id, token.created_at, token.name
        )?;
    }
    Ok(())
}

/// `gateway token revoke` and `gateway operator revoke`
pub(super) async fn revoke_token(
    settings: &Settings,
    kind: TokenKind,
    id: &str,
) -> Result<(), Failure> {
    let action = match kind {
        TokenKind::Merchant => "token revoke",
        TokenKind::Operator => "operator revoke",
    };
    let actor = actor();
    let revoked = setup::storage(settings)
        .await?
        .revoke_token(kind, id, done(&actor, action, id))
        .await?;
    if revoked {
        Ok(())
    } else {
        Err(Failure::new("there is no token in force with this id"))
    }
}

/// `gateway audit`
pub(super) async fn audit(settings: &Settings, limit: u32) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    for entry in setup::storage(settings).await?.audit(limit.into()).await? {
        serde_json::to_writer(&mut out, &entry).map_err(std::io::Error::from)?;
        writeln!(out)?;
    }
    Ok(())
}

/// `gateway secret`, and with hours to keep the old one, `gateway secret --rotate`
pub(super) async fn show_secret(
    settings: &Settings,
    merchant: &str,
    rotate: Option<u32>,
) -> Result<(), Failure> {
    let storage = setup::storage(settings).await?;
    let unknown = || Failure::new("this merchant has never had a token");
    if let Some(hours) = rotate {
        let keep = Duration::from_secs(u64::from(hours) * 3600);
        let (actor, new) = (actor(), Secret::generate()?.reveal());
        if !storage
            .rotate_secret(
                merchant,
                &new,
                keep,
                done(&actor, "secret rotate", merchant),
            )
            .await?
        {
            return Err(unknown());
        }
        storage.wipe_secrets().await?;
    }
    let secret = storage.secret(merchant).await?.ok_or_else(unknown)?;
    Ok(writeln!(std::io::stdout().lock(), "{}", *secret)?)
}

/// `gateway merchant-id`
pub(super) async fn merchant_ids(
    settings: &Settings,
    merchant: &str,
    add: &[String],
    remove: &[String],
) -> Result<(), Failure> {
    let storage = setup::storage(settings).await?;
    let actor = actor();
    for (ids, allowed) in [(add, true), (remove, false)] {
        for id in ids {
            let audit = match allowed {
                true => Audit {
                    after: Some(id),
                    ..done(&actor, "merchant-id add", merchant)
                },
                false => Audit {
                    before: Some(id),
                    ..done(&actor, "merchant-id remove", merchant)
                },
            };
            storage
                .set_merchant_id(merchant, id, allowed, audit)
                .await?;
        }
    }
    let mut out = std::io::stdout().lock();
    for id in storage.merchant_ids(merchant).await? {
        writeln!(out, "{id}")?;
    }
    Ok(())
}

/// `gateway merchant`
pub(super) async fn profile(
    settings: &Settings,
    merchant: &str,
    name: Option<&str>,
    add: &[String],
    remove: &[String],
) -> Result<(), Failure> {
    if let Some(name) = name {
        check_name(name)?;
    }
    let add = add
        .iter()
        .map(|text| origin("add-origin", text))
        .collect::<Result<Vec<_>, _>>()?;
    let remove = remove
        .iter()
        .map(|text| origin("remove-origin", text))
        .collect::<Result<Vec<_>, _>>()?;
    let storage = setup::storage(settings).await?;
    let actor = actor();
    if let Some(name) = name {
        let before = storage.profile(merchant).await?.name;
        let audit = Audit {
            before: Some(&before),
            after: Some(name),
            ..done(&actor, "merchant name", merchant)
        };
        storage.set_merchant_name(merchant, name, audit).await?;
    }
    for origin in &add {
        let audit = Audit {
            after: Some(origin),
            ..done(&actor, "origin add", merchant)
        };
        storage.set_origin(merchant, origin, true, audit).await?;
    }
    for origin in &remove {
        let audit = Audit {
            before: Some(origin),
            ..done(&actor, "origin remove", merchant)
        };
        storage.set_origin(merchant, origin, false, audit).await?;
    }
    let mut out = std::io::stdout().lock();
    let profile = storage.profile(merchant).await?;
    writeln!(out, "name: {}", profile.name)?;
    for origin in profile.origins {
        writeln!(out, "origin: {origin}")?;
    }
    Ok(())
}

/// Checks what people read as the name of a merchant or an operator.
fn check_name(name: &str) -> Result<(), Failure> {
    let bounds = 1..=255;
    if bounds.contains(&name.chars().count()) && !name.chars().any(char::is_control) {
        return Ok(());
    }
    Err(Failure::new(
        "a name has 1 to 255 characters and no control characters",
    ))
}

/// Parses the origin of web pages, and returns it as browsers write it.
fn origin(setting: &str, text: &str) -> Result<String, Failure> {
    let origin = Url::parse(text)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"))
        .map(|url| {
            let origin = url.origin().ascii_serialization();
            // Nothing but a slash may follow.
            (url.as_str().strip_suffix('/') == Some(&origin)).then_some(origin)
        });
    origin.flatten().ok_or_else(|| {
        Failure::new(format!(
            "{setting}: expected an origin such as https://shop.example"
        ))
    })
}

/// `gateway advance`
pub(super) async fn advance(
    settings: &Settings,
    uid: Uuid,
    change: &Change,
) -> Result<(), Failure> {
    let storage = setup::storage(settings).await?;
    let service = setup::service(settings, &storage, None).await?;
    let audited = AuditedActor {
        actor: &actor(),
        audit: storage.as_ref(),
    };
    match service
        .advance(&uid.to_string(), change, Some(audited))
        .await?
    {
        AdvanceResult::Reply(reply) if reply.status == 200 => {
            Ok(writeln!(std::io::stdout().lock(), "{}", reply.body)?)
        }
        AdvanceResult::Reply(reply) => Err(Failure::new(reply.body)),
        AdvanceResult::InvalidChange { path, message } => {
            Err(Failure::new(format!("{path}: {message}")))
        }
    }
}

/// `gateway key new`
pub(super) fn new_key(id: &str) -> Result<(), Failure> {
    Ok(writeln!(
        std::io::stdout().lock(),
        "{}",
        *SecretKeys::generate(id)?
    )?)
}

/// `gateway migrate`
pub(super) async fn migrate(settings: &Settings) -> Result<(), Failure> {
    let storage = setup::storage(settings).await?;
    setup::fingerprint_key(storage.as_ref()).await.map(drop)
}

/// Returns a merchant's secret, and creates it if the merchant has none.
pub(super) async fn secret(
    storage: &dyn Administration,
    merchant: &str,
) -> Result<Zeroizing<String>, Failure> {
    Ok(storage
        .get_or_insert_secret(merchant, &Secret::generate()?.reveal())
        .await?)
}
