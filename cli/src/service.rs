//! `payspec sandbox`, `payspec conform`, and `payspec page`, which the crate `payspec-sandbox`
//! implements.

use clap::Args;
use payspec_sandbox::{conform, page_check, sandbox};

use crate::engine::PolicyOptions;
use crate::failure::{Failure, Status};

// The help texts are those of the flattened options, so these structs have no documentation.
#[derive(Args, Debug)]
pub(crate) struct Sandbox {
    #[command(flatten)]
    options: sandbox::Options,
    #[command(flatten)]
    policy: PolicyOptions,
}

#[derive(Args, Debug)]
pub(crate) struct Conform {
    #[command(flatten)]
    options: conform::Options,
    #[command(flatten)]
    policy: PolicyOptions,
}

#[derive(Args, Debug)]
pub(crate) struct Page {
    #[command(flatten)]
    options: page_check::Options,
}

impl From<payspec_sandbox::Failure> for Failure {
    fn from(failure: payspec_sandbox::Failure) -> Self {
        match failure {
            payspec_sandbox::Failure::Message(message) => Failure::new(message),
            payspec_sandbox::Failure::Output(error) => error.into(),
        }
    }
}

/// Runs `payspec sandbox`.
pub(crate) fn sandbox(arguments: &Sandbox) -> Result<Status, Failure> {
    sandbox::run(&arguments.options, arguments.policy.engine()?)?;
    Ok(Status::Accepted)
}

/// Runs `payspec conform`.
pub(crate) fn conform(arguments: &Conform) -> Result<Status, Failure> {
    match conform::run(&arguments.options, arguments.policy.engine()?)? {
        true => Ok(Status::Accepted),
        false => Ok(Status::Rejected),
    }
}

/// Runs `payspec page`.
pub(crate) fn page(arguments: &Page) -> Result<Status, Failure> {
    match page_check::run(&arguments.options)? {
        true => Ok(Status::Accepted),
        false => Ok(Status::Rejected),
    }
}
