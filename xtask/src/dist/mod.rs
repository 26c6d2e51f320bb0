//! `cargo xtask dist`: builds the packages of all languages into target/dist, with checksums and
//! bills of materials.

mod archive;
mod build;
mod check;
mod command;
mod command_line;
mod image;
mod make;
mod packages;
mod platform;
mod programs;
mod release;
mod sbom;
mod sums;
mod tools;

pub(crate) use check::{check, quick};
pub(crate) use command::{Options, run};
pub(crate) use release::{ReleaseOptions, run as release};
pub(crate) use tools::{QUICK_TOOLS, TOOLS};
