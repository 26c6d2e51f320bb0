//! `payspec completions` and `payspec man`: files for the shell, generated from the definition of
//! the commands.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::failure::{Failure, Status};
use crate::output::Output;

/// Print the completions of a shell
///
/// For example, `payspec completions bash > /etc/bash_completion.d/payspec`.
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page, or write the pages of all commands to a folder
#[derive(Args, Debug)]
pub(crate) struct Man {
    /// The folder, such as /usr/local/share/man/man1
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

pub(crate) fn completions(options: &Completions, mut cli: Command) -> Result<Status, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(options.shell, &mut cli, "payspec", &mut text);
    let mut out = Output::new();
    out.write_all(&text)?;
    out.flush()?;
    Ok(Status::Accepted)
}

pub(crate) fn man(options: &Man, cli: Command) -> Result<Status, Failure> {
    match &options.folder {
        None => {
            let mut out = Output::new();
            clap_mangen::Man::new(cli).render(&mut out)?;
            out.flush()?;
        }
        Some(folder) => {
            fs::create_dir_all(folder).map_err(|error| Failure::writing(folder, &error))?;
            clap_mangen::generate_to(cli, folder)
                .map_err(|error| Failure::writing(folder, &error))?;
        }
    }
    Ok(Status::Accepted)
}
