//! Tests of the program `payspec`: its output, secrets, bad input, interruptions, and memory.

mod bad_input;
mod encodings;
mod generate;
mod interruption;
mod memory;
mod observe;
mod planted;
mod planted_text;
mod program;
mod secrets;
mod snapshots;
