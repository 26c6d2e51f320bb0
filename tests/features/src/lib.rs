//! No code: the manifest unifies the features of dependencies. See `tests/features/Cargo.toml`.
