//! The documents of the interface as files of a release: OpenAPI, as the command line prints it, and
//! AsyncAPI, whose notifications are the webhooks of the former.

use super::archive::write;
use super::build::Build;
use crate::build::install::VERSION;
use crate::docs::asyncapi;
use crate::support::process::output;
use anyhow::{Context, Result};
use serde_json::Value;
use std::process::Command;

impl Build<'_> {
    /// Writes both documents.
    pub(super) fn documents(&self) -> Result<()> {
        let native = self
            .programs
            .iter()
            .find(|programs| programs.platform.is_native());
        let program = &native.context("no program runs on this machine")?.payspec;
        let openapi = output(Command::new(program).arg("openapi"), "payspec openapi")?;
        let openapi: Value = serde_json::from_slice(&openapi)?;
        let asyncapi = asyncapi::document(&openapi)?;
        for (name, document) in [("openapi", &openapi), ("asyncapi", &asyncapi)] {
            let file = self.out.join(format!("payspec-{name}-{VERSION}.json"));
            write(&file, &(serde_json::to_string_pretty(document)? + "\n"))?;
        }
        Ok(())
    }
}
