//! The engine of an observation.

use std::sync::LazyLock;

use payspec::Engine;

/// The rules that traffic is compared with, which are those of the register.
pub(super) static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::default);
