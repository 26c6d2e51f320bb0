//! The tests of the library in one executable, since each executable is linked on its own. Those
//! that need another allocator, another runner, or a built library are executables of their own.

mod batch;
mod differential;
mod features;
mod field_cases;
mod iso4217;
mod javascript_tables;
mod layers;
mod log_lines;
mod money;
mod npm_types;
mod openapi;
mod operations;
mod policies;
mod properties;
mod purity;
mod readme;
mod typed;
mod wrapper_contexts;
