//! `payspec-bulk FILE PASSES`: prints the nanoseconds of `is_valid_request` per body, a line for
//! each pass over the file.

use payspec::Engine;
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments
        .next()
        .ok_or("expected a file with a body in each line")?;
    let passes: u32 = arguments
        .next()
        .ok_or("expected the number of passes")?
        .parse()?;
    let text = std::fs::read(file)?;
    let bodies: Vec<&[u8]> = text
        .split(|byte| *byte == b'\n')
        .filter(|body| !body.is_empty())
        .collect();
    let engine = Engine::default();
    for _ in 0..passes {
        let start = Instant::now();
        let valid = bodies
            .iter()
            .filter(|body| engine.is_valid_request(black_box(body), None))
            .count();
        let nanoseconds = start.elapsed().as_nanos();
        println!("{} {valid}", nanoseconds / bodies.len().max(1) as u128);
    }
    Ok(())
}
