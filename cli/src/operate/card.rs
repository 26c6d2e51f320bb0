//! `payspec card`: the scheme and the format of a card number.

use clap::Args;
use payspec::Engine;

use super::{Print, answer};
use crate::failure::{Failure, Status};
use crate::input::Origin;

/// Show scheme, lengths, and validity of a card number, or of its first digits
///
/// The exit status is 1 if the digits cannot be a card number of a known scheme. The output contains the number only masked.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  payspec card 411111\n  payspec card - < number.txt")]
pub(crate) struct Options {
    /// The digits; `-` reads them from standard input, which keeps them out of the history of the shell
    digits: String,
    #[command(flatten)]
    print: Print,
}

pub(crate) fn run(options: &Options) -> Result<Status, Failure> {
    let digits = match options.digits.as_str() {
        "-" => Origin::Stdin.read(1024)?.trim_ascii().to_vec(),
        digits => digits.as_bytes().to_vec(),
    };
    answer(&Engine::default(), "card_info", &[Some(&digits)], &options.print)
}
