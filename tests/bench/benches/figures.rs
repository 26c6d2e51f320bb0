//! `cargo bench`: the library beside serde_json and jsonschema in one interleaved run, and which targets are reached.

use payspec_bench::{allocations::Counting, contenders, harness, table::Table};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    let engine = payspec::Engine::default();
    println!("\n{}", Table(harness::measure(contenders::all(&engine))));
}
