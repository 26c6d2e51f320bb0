//! An engine, and the memory that its calls use.

use alloc::vec::Vec;
use payspec::json::{OPERATIONS, Operation, Verdict, place};
use payspec::{Engine, Error, Mode, PaymentType, Report};
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
    pub fn address(&mut self) -> *mut Door {
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
            // Twice the room, or no more than is asked for where that much is not to be had.
            let twice = self.input.len().saturating_mul(2);
            grown.try_reserve(bytes.max(twice)).or_else(|_| grown.try_reserve_exact(bytes)).ok()?;
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
    /// that one is not there. Where `told` is 0, only the verdict is worked out. Bit 0 asks for an answer, and bit N says that
    /// JavaScript has the text of report N; the number of a report stands above the last bit of the code.
    #[inline]
    pub(crate) fn call<const PLACE: usize>(&mut self, first: i32, second: i32, told: u32) -> i32 {
        if FAST && PLACE == VALIDATE && first >= 0 && second < 0 {
            return self.validate(first, told);
        }
        // A copy of the line: the small module has nothing of the others.
        self.run(&const { OPERATIONS[PLACE] }, first, second, told != 0)
    }

    /// A body without an instant, as nearly all are: past the table of operations, since V8 keeps nothing in registers across
    /// the calls on that way. A report is written where JavaScript lacks its text.
    fn validate(&mut self, len: i32, told: u32) -> i32 {
        let end = usize::try_from(len).unwrap_or(0);
        let body = self.input.get(..end).unwrap_or_default();
        let code = if told == 0 {
            i32::from(!self.engine.is_valid_request(body, None))
        } else {
            let report = self.engine.validate_request(body, None);
            let number = number(&report);
            if number == 0 || told >> number & 1 == 0 {
                self.answer.clear();
                report.write_json(&mut self.answer);
            }
            i32::from(!report.is_valid()) | number << 1
        };
        self.wipe(end);
        code
    }

    fn run(&mut self, operation: &Operation, first: i32, second: i32, told: bool) -> i32 {
        let behind_first = usize::try_from(first).unwrap_or(0);
        let end = behind_first.saturating_add(usize::try_from(second).unwrap_or(0));
        let (one, two) = self.input.get(..end).unwrap_or_default().split_at_checked(behind_first).unwrap_or_default();
        let inputs = [(first >= 0).then_some(one), (second >= 0).then_some(two)];
        let out = told.then_some(&mut self.answer);
        let code = operation
            .call(&self.engine, &inputs, out)
            .map_or_else(|error: Error| error.return_code(), Verdict::return_code);
        self.wipe(end);
        code
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

/// A report that tells of nothing has few forms, and no value in it: its number, from 1 to 24; 0 for any other report.
fn number(report: &Report<'_>) -> i32 {
    if !report.is_valid() || !report.violations().is_empty() || report.is_truncated() {
        return 0;
    }
    let variant = match report.variant() {
        None => 0,
        Some(PaymentType::PayIn) => 1,
        Some(PaymentType::PayOut) => 2,
    };
    let mode = match report.mode() {
        None => 0,
        Some(Mode::P2p) => 1,
        Some(Mode::Acquiring) => 2,
        Some(Mode::Crypto) => 3,
    };
    1 + variant * 8 + mode * 2 + i32::from(report.host2host())
}
