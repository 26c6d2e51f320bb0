//! The commands of the program.

mod arguments;
mod failure;
mod logging;
mod manage;
mod ready;
mod serve;
mod settings;
mod setup;

use clap::{Args, Parser, Subcommand};
use payspec_gateway::service::Change;
use payspec_gateway::storage::TokenKind;
use payspec_gateway::{memory, system};
use uuid::Uuid;

use failure::Failure;
use settings::Settings;

/// The payment service of the specification, over HTTP.
///
/// Two steps are enough: `gateway token new --merchant shop-42` prints an access token, `gateway
/// serve` listens at 127.0.0.1:8080 and keeps its payments in the file gateway.db. Every setting is
/// a flag, a variable GATEWAY_…, or a line of the file named by --config; a flag wins over the
/// environment, and that over the file.
#[derive(Parser)]
#[command(name = "gateway", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the interface; the schema is brought up to date first
    Serve {
        #[command(flatten)]
        settings: Box<Settings>,
    },
    /// Exit with 0 if the gateway of this machine is ready, as /readyz at --admin-listen answers:
    /// for health checks of containers
    Ready {
        #[command(flatten)]
        settings: Box<Settings>,
    },
    /// Access tokens of merchants
    Token {
        #[command(subcommand)]
        command: Tokens<Merchant>,
    },
    /// Operators, who change states over HTTP
    Operator {
        #[command(subcommand)]
        command: Tokens<Operator>,
    },
    /// Print what operators have done, the latest first, a line of JSON for each action
    Audit {
        /// The number of actions
        #[arg(long, value_name = "N", default_value_t = 100)]
        limit: u32,
        #[command(flatten)]
        settings: Box<Settings>,
    },
    /// The secret that a merchant's callbacks are signed with
    Secret {
        /// The merchant
        #[arg(long)]
        merchant: String,
        /// Make a new one; the old one signs beside it for a while, so that the receiver may change
        /// over in its own time
        #[arg(long)]
        rotate: bool,
        /// With --rotate: the hours for which the old secret stays valid; 0 revokes it at once
        #[arg(long, value_name = "HOURS", default_value_t = 24, requires = "rotate")]
        keep: u32,
        #[command(flatten)]
        settings: Box<Settings>,
    },
    /// The merchant_ids that a merchant may name in requests, besides its own
    MerchantId {
        /// The merchant
        #[arg(long)]
        merchant: String,
        /// Adds one
        #[arg(long, value_name = "ID")]
        add: Vec<String>,
        /// Removes one
        #[arg(long, value_name = "ID")]
        remove: Vec<String>,
        #[command(flatten)]
        settings: Box<Settings>,
    },
    /// The name of a merchant that payers see, and the origins that its payments may lead them back
    /// to
    Merchant {
        /// The merchant
        #[arg(long)]
        merchant: String,
        /// Registers the name
        #[arg(long)]
        name: Option<String>,
        /// Registers an origin, such as `https://shop.example`
        #[arg(long, value_name = "ORIGIN")]
        add_origin: Vec<String>,
        /// Removes an origin
        #[arg(long, value_name = "ORIGIN")]
        remove_origin: Vec<String>,
        #[command(flatten)]
        settings: Box<Settings>,
    },
    /// Change a payment's state and notify its callback
    Advance {
        /// The uid of the payment
        uid: Uuid,
        #[command(flatten)]
        change: Change,
        #[command(flatten)]
        settings: Box<Settings>,
    },
    /// The keys that webhook secrets are encrypted with
    Key {
        #[command(subcommand)]
        command: Key,
    },
    /// Bring the schema of the database up to date
    Migrate {
        #[command(flatten)]
        settings: Box<Settings>,
    },
}

/// The tokens of a kind; the owner is named by a flag of its own.
#[derive(Subcommand)]
enum Tokens<O: Args> {
    /// Make a token; it is shown once, and kept as a hash
    New {
        #[command(flatten)]
        owner: O,
        /// Print the token and nothing else
        #[arg(long)]
        quiet: bool,
        #[command(flatten)]
        settings: Box<Settings>,
    },
    /// List tokens
    List {
        #[command(flatten)]
        settings: Box<Settings>,
    },
    /// Revoke a token
    Revoke {
        /// The id of the token, as `list` shows it
        id: String,
        #[command(flatten)]
        settings: Box<Settings>,
    },
}

#[derive(Args)]
struct Merchant {
    /// The merchant whose payments the token creates and reads
    #[arg(long)]
    merchant: String,
}

#[derive(Args)]
struct Operator {
    /// The name of the operator in the audit
    #[arg(long)]
    name: String,
}

impl<O: Args> Tokens<O> {
    async fn run(self, kind: TokenKind, name: fn(O) -> String) -> Result<(), Failure> {
        match self {
            Self::New {
                owner,
                quiet,
                settings,
            } => manage::new_token(&settings.with_file()?, kind, &name(owner), quiet).await,
            Self::List { settings } => manage::list_tokens(&settings.with_file()?, kind).await,
            Self::Revoke { id, settings } => {
                manage::revoke_token(&settings.with_file()?, kind, &id).await
            }
        }
    }
}

#[derive(Subcommand)]
enum Key {
    /// Print a new key, for --secret-keys or --secret-keys-file
    New {
        /// Distinguishes it from other keys, such as a date
        #[arg(long)]
        id: String,
    },
}

/// Runs the command that was typed.
pub(crate) async fn run() -> Result<(), Failure> {
    // Files of the database hold payments and secrets, so others get no access.
    system::keep_new_files_private();
    memory::protect()?;
    match arguments::parse::<Cli>()?.command {
        Command::Serve { settings } => serve::serve(settings.with_file()?).await,
        Command::Ready { settings } => ready::ready(&settings.with_file()?).await,
        Command::Token { command } => {
            command
                .run(TokenKind::Merchant, |owner| owner.merchant)
                .await
        }
        Command::Operator { command } => command.run(TokenKind::Operator, |owner| owner.name).await,
        Command::Audit { limit, settings } => manage::audit(&settings.with_file()?, limit).await,
        Command::Secret {
            merchant,
            rotate,
            keep,
            settings,
        } => manage::show_secret(&settings.with_file()?, &merchant, rotate.then_some(keep)).await,
        Command::MerchantId {
            merchant,
            add,
            remove,
            settings,
        } => manage::merchant_ids(&settings.with_file()?, &merchant, &add, &remove).await,
        Command::Merchant {
            merchant,
            name,
            add_origin,
            remove_origin,
            settings,
        } => {
            manage::profile(
                &settings.with_file()?,
                &merchant,
                name.as_deref(),
                &add_origin,
                &remove_origin,
            )
            .await
        }
        Command::Advance {
            uid,
            change,
            settings,
        } => manage::advance(&settings.with_file()?, uid, &change).await,
        Command::Key {
            command: Key::New { id },
        } => manage::new_key(&id),
        Command::Migrate { settings } => manage::migrate(&settings.with_file()?).await,
    }
}
