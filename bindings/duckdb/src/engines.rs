//! The engines of the policies in queries.

use payspec::{Engine, Error};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Policies whose engines are kept. One per merchant is plausible, and an engine takes some
/// kilobytes.
const KEPT: usize = 256;

/// The engines of one function, by policy as JSON.
#[derive(Default)]
pub(crate) struct Engines(Mutex<HashMap<Vec<u8>, Arc<Engine>>>);

impl Engines {
    /// Returns the engine of a policy.
    pub(crate) fn of(&self, policy: &[u8]) -> Result<Arc<Engine>, Error> {
        // A panic while the lock is held leaves a complete map.
        let mut engines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = engines.get(policy) {
            return Ok(Arc::clone(engine));
        }
        let engine = Arc::new(Engine::from_json(policy)?);
        if engines.len() == KEPT {
            engines.clear();
        }
        engines.insert(policy.to_vec(), Arc::clone(&engine));
        Ok(engine)
    }
}
