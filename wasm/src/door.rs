//! An engine, and the memory that its calls use.

use payspec::json::{OPERATIONS, Verdict, place};
use payspec::{Engine, Error};
#[cfg(feature = "all")]
use wasm_bindgen::prelude::*;
use wide::u8x16;
use zeroize::Zeroize;

const VALIDATE: usize = place("validate_request");
/// A page that validates what somebody types needs the smallest module, not the fastest.
const FAST: bool = cfg!(feature = "all");

/// An engine as JavaScript holds it. It belongs to one thread, as all of a WASM module does.
#[cfg_attr(feature = "all", wasm_bindgen)]
#[cfg_attr(not(feature = "all"), expect(unreachable_pub, reason = "what wasm-bindgen makes a class of must be pub"))]
#[derive(Debug, Default)]
pub struct Door {
    engine: Engine,
    /// Where JavaScript puts the inputs, one behind the other.
    input: Vec<u8>,
    answer: Vec<u8>,
    /// Answers that JavaScript has as texts already, in the order of its list of them.
    known: Vec<Vec<u8>>,
}

#[cfg(feature = "all")]
#[wasm_bindgen]
impl Door {
    /// An engine with the default policy.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Door {
        Door::default()
    }

    /// Where it lives: the first argument of every export of ours. It does not move.
    pub fn address(&self) -> *const Door {
        self
    }

    /// The policy in force, defaults written out, as a plain object.
    ///
    /// # Errors
    /// None that is known of.
    pub fn policy(&self) -> Result<JsValue, JsValue> {
        let plain = serde_wasm_bindgen::Serializer::json_compatible();
        Ok(serde::Serialize::serialize(self.engine.policy(), &plain)?)
    }
}

impl Door {
    /// At least `bytes` bytes for the inputs. What is there already stays. None where memory has come to its end.
    pub(crate) fn room(&mut self, bytes: usize) -> Option<*mut u8> {
        if bytes > self.input.len() {
            // Not `reserve`: what it moves stays behind in the old place, and that may be a card number.
            let mut grown = Vec::new();
            grown.try_reserve(bytes.max(self.input.len().saturating_mul(2))).ok()?;
            grown.extend_from_slice(&self.input);
            grown.resize(grown.capacity(), 0);
            // What is freed right after, the compiler would not wipe by itself.
            self.input.zeroize();
            self.input = grown;
        }
        Some(self.input.as_mut_ptr())
    }

    /// How many bytes of inputs have room.
    pub(crate) fn capacity(&self) -> usize {
        self.input.len()
    }

    /// The answer of the last call.
    pub(crate) fn answer(&self) -> &[u8] {
        &self.answer
    }

    /// The number of the last answer among those that came by here before, from 1; 0 for a long one, or where there are
    /// too many. It is for reports that tell of nothing: they have few forms, and no value in them.
    fn number(&mut self) -> i32 {
        const LONGEST: usize = 96;
        const MOST: usize = 32;
        let place = match self.known.iter().position(|known| same(known, &self.answer)) {
            None if self.answer.len() <= LONGEST && self.known.len() < MOST => {
                self.known.push(self.answer.clone());
                Some(self.known.len())
            }
            place => place.map(|before| before.saturating_add(1)),
        };
        place.and_then(|number| i32::try_from(number).ok()).unwrap_or(0)
    }

    /// Whether `len` bytes of the input from `start` may hold U+FFFD, which JavaScript's encoder makes of a lone surrogate:
    /// whether they have its first byte. No character below U+F000 has that.
    pub(crate) fn replaced(&self, start: usize, len: usize) -> bool {
        const FIRST: u8 = 0xef;
        if !FAST {
            return true;
        }
        let text = self.input.get(start..).and_then(|rest| rest.get(..len)).unwrap_or_default();
        let (whole, rest) = text.as_chunks();
        whole.iter().any(|bytes| u8x16::new(*bytes).simd_eq(u8x16::splat(FIRST)).any()) || rest.contains(&FIRST)
    }

    /// Sets the policy, which stands in the first `len` bytes of the input.
    pub(crate) fn set_policy(&mut self, len: usize) -> i32 {
        let made = Engine::from_json(self.input.get(..len).unwrap_or_default());
        self.wipe(len);
        match made {
            Ok(engine) => {
                self.engine = engine;
                Verdict::Accepted.return_code()
            }
            Err(error) => {
                self.answer.clear();
                error.write_json(&mut self.answer);
                error.return_code()
            }
        }
    }

    /// Calls the operation at `PLACE` of the table. The inputs stand one behind the other, and a negative length says
    /// that one is not there. `told` asks for the answer, else only the verdict is worked out. The code for a valid body may
    /// have the number of the report above its last bit.
    #[inline]
    pub(crate) fn call<const PLACE: usize>(&mut self, first: i32, second: i32, told: bool) -> i32 {
        let behind_first = usize::try_from(first).unwrap_or(0);
        let end = behind_first.saturating_add(usize::try_from(second).unwrap_or(0));
        let (one, two) = self.input.get(..end).unwrap_or_default().split_at_checked(behind_first).unwrap_or_default();
        let inputs = [(first >= 0).then_some(one), (second >= 0).then_some(two)];
        let out = told.then_some(&mut self.answer);
        let code = OPERATIONS[PLACE]
            .call(&self.engine, &inputs, out)
            .map_or_else(|error: Error| error.return_code(), Verdict::return_code);
        self.wipe(end);
        if FAST && PLACE == VALIDATE && told && code == 0 { self.number() << 1 } else { code }
    }

    /// Card numbers do not stay behind in memory that the page can read.
    fn wipe(&mut self, end: usize) {
        if let Some(used) = self.input.get_mut(..end) {
            used.fill(0);
        }
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.input.zeroize();
    }
}

/// `==`, eight bytes at a time: WebAssembly has no `memcmp` of its own, and that of its library goes byte by byte.
fn same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let ((one, one_rest), (other, other_rest)) = (one.as_chunks::<8>(), other.as_chunks::<8>());
    one.iter().zip(other).all(|(one, other)| u64::from_le_bytes(*one) == u64::from_le_bytes(*other))
        && one_rest.iter().zip(other_rest).all(|(one, other)| one == other)
}
