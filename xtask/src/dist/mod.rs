//! `cargo xtask dist`: builds the packages of all languages into target/dist, with checksums and
//! bills of materials.

mod apple_sdk;
mod archive;
mod build;
mod c_archives;
mod check;
mod command;
mod command_line;
mod deb;
mod documents;
mod go_module;
mod image;
mod make;
mod other_systems;
mod packages;
mod platform;
mod programs;
mod registries;
mod release;
mod sbom;
mod sums;

pub(crate) use check::{check, quick};
pub(crate) use command::{Options, run};
pub(crate) use release::{ReleaseOptions, run as release};
