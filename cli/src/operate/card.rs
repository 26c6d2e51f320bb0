//! `payspec card`: the scheme and the format of a card number.

use clap::Args;
use payspec::card::card_info;

use super::{Print, print_json};
use crate::failure::{Failure, Status};
use crate::input::Origin;

/// Show scheme, lengths, and validity of a card number, or of its first digits
///
/// The exit status is 1 if the digits are not a card number and cannot become one. The output
/// contains the number only masked.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  payspec card 411111\n  payspec card - < number.txt")]
pub(crate) struct Options {
    /// The digits; `-` reads them from standard input, which keeps them out of the history of the
    /// shell
    digits: String,
    #[command(flatten)]
    print: Print,
}

pub(crate) fn run(options: &Options) -> Result<Status, Failure> {
    let digits = match options.digits.as_str() {
        "-" => String::from_utf8_lossy(Origin::Stdin.read(1024)?.trim_ascii()).into_owned(),
        digits => digits.to_owned(),
    };
    let info = card_info(&digits);
    let mut json = Vec::new();
    info.write_json(&mut json);
    print_json(&json, &options.print)?;
    Ok(if info.possible {
        Status::Accepted
    } else {
        Status::Rejected
    })
}
