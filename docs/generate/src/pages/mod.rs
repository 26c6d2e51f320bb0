//! The pages of the reference in the book, generated from the tables of the library, the vectors,
//! the C header, the types of the npm package, the command line, and the OpenAPI document.

mod c_api;
mod command_line;
mod decisions;
mod diagram;
mod examples;
mod http;
mod markdown;
mod methods;
mod npm_methods;
mod operations;
mod rule_paths;
mod rules;
mod samples;
mod snippets;
mod states;
mod toolchains;

use crate::common::Page;
pub(crate) use rules::tables;
pub(crate) use samples::samples;

/// Returns the generated pages.
pub(crate) fn pages() -> Result<Vec<Page>, String> {
    let mut pages = operations::pages()?;
    pages.extend(rules::pages()?);
    pages.extend(decisions::pages());
    pages.extend(states::pages());
    pages.push(c_api::page()?);
    pages.extend(command_line::pages()?);
    pages.push(http::page()?);
    pages.push(methods::page()?);
    pages.push(toolchains::page()?);
    Ok(pages)
}
