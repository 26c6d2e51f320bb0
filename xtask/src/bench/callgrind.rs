//! Reads two numbers from the output of callgrind: instructions in the measured program, and its
//! calls of other objects.
//!
//! Instructions of the C library are not counted: it selects memcpy by processor, so they differ
//! between machines. The number of calls does not.

use anyhow::{Context, Result, anyhow};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The cost of one call of the measured function.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(from = "(u64, u64)", into = "(u64, u64)")]
pub(crate) struct Count {
    /// Instructions in the object of the program.
    pub(crate) instructions: u64,
    /// Calls of functions in other objects: allocation and copying.
    pub(crate) calls_out: u64,
}

impl From<(u64, u64)> for Count {
    fn from((instructions, calls_out): (u64, u64)) -> Count {
        Count {
            instructions,
            calls_out,
        }
    }
}

impl From<Count> for (u64, u64) {
    fn from(count: Count) -> (u64, u64) {
        (count.instructions, count.calls_out)
    }
}

/// Parses one dump. The first use of an object defines its number: `ob=(1) /lib/libc.so`, then
/// `ob=(1)`.
pub(crate) fn count(dump: &str, program: &str) -> Result<Count> {
    let mut names: HashMap<&str, bool> = HashMap::new();
    // Returns true if the object of a line is the program.
    let mut is_program = |text| -> bool {
        let (number, name): (&str, &str) = str::split_once(text, ' ').unwrap_or((text, ""));
        let known = names
            .entry(number)
            .or_insert_with(|| name.rsplit('/').next() == Some(program));
        *known
    };
    let (mut count, mut in_program, mut callee, mut is_call) =
        (Count::default(), false, None, false);
    for line in dump.lines() {
        if let Some(object) = line.strip_prefix("ob=") {
            in_program = is_program(object);
        } else if let Some(object) = line.strip_prefix("cob=") {
            callee = Some(is_program(object));
        } else if let Some(calls) = line.strip_prefix("calls=") {
            let times = calls.split(' ').next().unwrap_or_default();
            let times: u64 = times
                .parse()
                .with_context(|| format!("callgrind wrote {line}"))?;
            if in_program && callee.take() == Some(false) {
                count.calls_out += times;
            }
            // The next line contains the cost of the call, which the lines of the called function
            // contain too.
            is_call = true;
        } else if line
            .starts_with(|character: char| character.is_ascii_digit() || "+-*".contains(character))
        {
            if in_program && !is_call {
                let cost = line
                    .split(' ')
                    .nth(1)
                    .and_then(|cost| cost.parse::<u64>().ok());
                count.instructions += cost.with_context(|| format!("callgrind wrote {line}"))?;
            }
            is_call = false;
        }
    }
    if count.instructions == 0 {
        Err(anyhow!("callgrind recorded no instruction of the program"))
    } else {
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = "\
# callgrind format
version: 1
positions: line
events: Ir
summary: 160

ob=(2) /somewhere/payspec-instructions
fl=(3) ???
fn=(10) measured
0 7
cob=(4) /lib/libc.so.6
cfn=(12) malloc
calls=2 0
0 100
cfn=(14) parse
calls=1 0
0 53

fn=(14)
0 50
+3 3

ob=(4)
fn=(12)
0 100
cob=(2)
cfn=(16) back
calls=1 0
0 1

ob=(2)
fn=(16)
0 1
";

    #[test]
    fn counts_the_lines_of_the_program_only() {
        let counted = count(DUMP, "payspec-instructions").unwrap();
        assert_eq!(
            counted,
            Count {
                instructions: 7 + 50 + 3 + 1,
                calls_out: 2
            }
        );
    }

    #[test]
    fn rejects_a_dump_without_the_program() {
        assert!(count(DUMP, "another").is_err());
        assert!(count("", "payspec-instructions").is_err());
    }
}
