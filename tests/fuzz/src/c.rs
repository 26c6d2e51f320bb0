//! Runs sequences of C calls in any order that `include/payspec.h` allows: engines and buffers are
//! created, used, moved, and freed, NULL is passed wherever it is allowed, buffers serve as inputs,
//! and inputs have exact allocations. The fuzzer adds an address sanitizer; the answers are
//! compared with those of the core.

use crate::bytes::Bytes;
use payspec::Engine;
use payspec::operations::OPERATIONS;
use payspec_ffi::buf::{payspec_buf, payspec_buf_free};
use payspec_ffi::engine::{payspec_engine, payspec_engine_free, payspec_engine_new};
use payspec_ffi::operations::{access, legacy, payments, requests, tables, webhooks};
use payspec_ffi::status::{PAYSPEC_ERROR_ARGUMENT, PAYSPEC_ERROR_PANIC};
use payspec_tests::call;
use payspec_tests::call::of_error;
use payspec_tests::json::Json;
use payspec_tests::seeds;
use std::ffi::c_char;
use std::ptr::{null, null_mut};

type One =
    unsafe extern "C" fn(*const payspec_engine, *const c_char, usize, *mut payspec_buf) -> i32;
type Two = unsafe extern "C" fn(
    *const payspec_engine,
    *const c_char,
    usize,
    *const c_char,
    usize,
    *mut payspec_buf,
) -> i32;
type None_ = unsafe extern "C" fn(*const payspec_engine, *mut payspec_buf) -> i32;

/// An exported function by its number of inputs.
enum Export {
    None(None_),
    One(One),
    Two(Two),
}

fn export(name: &str) -> Export {
    use Export::{None, One, Two};
    match name {
        "validate_request" => Two(requests::payspec_validate_request),
        "create_payment" => Two(requests::payspec_create_payment),
        "fingerprint_request" => One(requests::payspec_fingerprint_request),
        "redact" => One(requests::payspec_redact),
        "redact_text" => One(requests::payspec_redact_text),
        "locate" => Two(requests::payspec_locate),
        "read_payment" => One(payments::payspec_read_payment),
        "read_balance" => One(payments::payspec_read_balance),
        "check_payment" => Two(payments::payspec_check_payment),
        "field_currencies" => One(payments::payspec_field_currencies),
        "convert" => One(payments::payspec_convert),
        "advance_payment" => One(payments::payspec_advance_payment),
        "check_transition" => One(payments::payspec_check_transition),
        "check_idempotency" => One(access::payspec_check_idempotency),
        "authorize" => One(access::payspec_authorize),
        "idempotency_key" => One(access::payspec_idempotency_key),
        "sign_webhook" => Two(webhooks::payspec_sign_webhook),
        "verify_webhook" => Two(webhooks::payspec_verify_webhook),
        "upgrade_request" => Two(legacy::payspec_upgrade_request),
        "downgrade_request" => One(legacy::payspec_downgrade_request),
        "upgrade_balance" => One(legacy::payspec_upgrade_balance),
        "downgrade_balance" => One(legacy::payspec_downgrade_balance),
        "upgrade_payment" => One(legacy::payspec_upgrade_payment),
        "downgrade_payment" => One(legacy::payspec_downgrade_payment),
        "states" => None(tables::payspec_states),
        "card_info" => One(tables::payspec_card_info),
        "compare_policies" => One(tables::payspec_compare_policies),
        "rules" => None(tables::payspec_rules),
        "decisions" => None(tables::payspec_decisions),
        "openapi" => None(tables::payspec_openapi),
        other => panic!("{other} is not exported"),
    }
}

const SLOTS: usize = 4;

/// The state of a program. Each C engine is paired with an engine of the core that has the same
/// policy.
struct Program {
    engines: [Option<(*mut payspec_engine, Engine)>; SLOTS],
    buffers: [payspec_buf; SLOTS],
}

/// Input: the steps of a program, whose texts end with 0xFF.
pub(crate) fn run(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let mut program = Program {
        engines: [const { None }; SLOTS],
        buffers: [(); SLOTS].map(|()| payspec_buf {
            data: null_mut(),
            len: 0,
            cap: 0,
        }),
    };
    // Most calls need an engine, so the first slot is filled.
    program.new_engine(None, 0, usize::MAX);
    for _ in 0..32 {
        if bytes.0.is_empty() {
            break;
        }
        program.step(&mut bytes);
    }
    program.end();
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let of = |(at, seed): (usize, seeds::Seed)| {
        let byte = |number: usize| u8::try_from(number % 255).unwrap_or(0);
        let operation = OPERATIONS
            .iter()
            .position(|operation| operation.name == seed.operation)?;
        let mut out = Vec::new();
        if let Some(policy) = &seed.policy {
            out.extend([0, 0, 0, 1]);
            out.extend(policy.bytes());
            out.push(0xFF);
        }
        out.extend([3, byte(operation), 0, byte(at % 5)]);
        for input in &seed.inputs {
            out.push(if input.is_some() { 1 } else { 0 });
            out.extend(input.as_deref().unwrap_or_default());
            out.push(0xFF);
        }
        // Then a step that uses the results.
        out.extend([
            byte(at % 7 + 1),
            byte(at / 7),
            byte(at / 3),
            byte(at / 5),
            2,
        ]);
        Some(out)
    };
    seeds::calls()
        .into_iter()
        .enumerate()
        .filter_map(of)
        .collect()
}

/// An input of a C call and its bytes: `Ok(None)` for NULL, `Err` for an invalid pointer or length.
struct Input {
    data: *const c_char,
    len: usize,
    bytes: Result<Option<Vec<u8>>, ()>,
    /// The allocation of `data`, exactly as long as the text.
    _memory: Box<[u8]>,
}

impl Program {
    fn step(&mut self, bytes: &mut Bytes<'_>) {
        match bytes.next() % 8 {
            0 => {
                let (slot, error) = (bytes.next(), bytes.next());
                let policy = self.input(bytes);
                self.new_engine(
                    Some(&policy),
                    usize::from(slot) % SLOTS,
                    usize::from(error) % (SLOTS + 1),
                );
            }
            1 => {
                let slot = usize::from(bytes.next()) % (SLOTS + 1);
                let engine = self.engines.get_mut(slot).and_then(Option::take);
                // SAFETY: NULL, or created by `payspec_engine_new` and taken out of its slot: freed
                // this once.
                unsafe { payspec_engine_free(engine.map_or(null_mut(), |(engine, _)| engine)) };
            }
            2 => {
                let slot = usize::from(bytes.next()) % (SLOTS + 1);
                let buffer = self.buffer(slot);
                // SAFETY: NULL, or a buffer without other users. It may be freed any number of
                // times.
                unsafe { payspec_buf_free(buffer) };
                if let Some(buffer) = self.buffers.get(slot) {
                    assert!(buffer.data.is_null() && buffer.len == 0 && buffer.cap == 0);
                }
            }
            3..=5 => self.call(bytes),
            6 => {
                // A caller may move a buffer and set its length.
                let (from, to) = (
                    usize::from(bytes.next()) % SLOTS,
                    usize::from(bytes.next()) % SLOTS,
                );
                self.buffers.swap(from, to);
                if self.buffers[from].data.is_null() {
                    return;
                }
                self.buffers[from].len = 0;
            }
            _ => self.foreign(bytes.next()),
        }
    }

    fn buffer(&mut self, slot: usize) -> *mut payspec_buf {
        self.buffers
            .get_mut(slot)
            .map_or(null_mut(), std::ptr::from_mut)
    }

    fn new_engine(&mut self, policy: Option<&Input>, slot: usize, error: usize) {
        let (data, len) = policy.map_or((null(), 0), |policy| (policy.data, policy.len));
        let mut created = null_mut();
        // SAFETY: the policy is NULL, has `len` bytes, or is part of a buffer, as the header
        // allows; `created` is a valid pointer; the buffer is NULL or valid.
        let number = unsafe { payspec_engine_new(data, len, &raw mut created, self.buffer(error)) };
        let text = policy.map_or(Ok(None), |policy| policy.bytes.clone());
        let expected = text.map(|text| {
            text.map_or_else(|| Ok(Engine::default()), |text| Engine::from_json(&text))
        });
        match expected {
            Err(()) => assert_eq!(number, PAYSPEC_ERROR_ARGUMENT),
            Ok(Err(expected)) => {
                assert_eq!(number, of_error(&expected));
                let mut text = Vec::new();
                expected.write_json(&mut text);
                self.check_text(error, &text);
            }
            Ok(Ok(twin)) => {
                assert_eq!((number, created.is_null()), (0, false));
                self.check_text(error, b"");
                let old = self.engines[slot].replace((created, twin));
                // SAFETY: NULL, or created by `payspec_engine_new` and just taken out of its slot.
                unsafe { payspec_engine_free(old.map_or(null_mut(), |(engine, _)| engine)) };
                return;
            }
        }
        assert!(created.is_null());
    }

    fn call(&mut self, bytes: &mut Bytes<'_>) {
        let (operation, engine, out) = (bytes.next(), bytes.next(), bytes.next());
        let operation = &OPERATIONS[usize::from(operation) % OPERATIONS.len()];
        let out_slot = usize::from(out) % (SLOTS + 1);
        let inputs: Vec<Input> = operation.inputs.iter().map(|_| self.input(bytes)).collect();
        // Nearly always an engine that exists.
        let slot = usize::from(engine % 8) % SLOTS;
        let engine = if engine == 0xFE {
            None
        } else {
            self.engines[slot].as_ref().or(self.engines[0].as_ref())
        };
        let handle = engine.map_or(null(), |(engine, _)| engine.cast_const());
        let expected = engine.and_then(|(_, twin)| expected(twin, operation, &inputs));
        let out = self.buffer(out_slot);
        // SAFETY: the engine is NULL or alive; the inputs are NULL, have `len` bytes, or are part
        // of a buffer; the buffer is NULL or valid, and has no other users.
        let number = unsafe {
            match (export(operation.name), inputs.as_slice()) {
                (Export::None(call), []) => call(handle, out),
                (Export::One(call), [a]) => call(handle, a.data, a.len, out),
                (Export::Two(call), [a, b]) => call(handle, a.data, a.len, b.data, b.len, out),
                _ => panic!("{} has other inputs", operation.name),
            }
        };
        assert_ne!(number, PAYSPEC_ERROR_PANIC, "{}", operation.name);
        match expected {
            Some(expected) => {
                assert_eq!(number, expected.returns, "{}", operation.name);
                self.check_text(out_slot, &expected.text);
            }
            None => {
                assert_eq!(number, PAYSPEC_ERROR_ARGUMENT, "{}", operation.name);
                if let Some(text) = self.buffers.get(out_slot).map(content) {
                    assert!(Json::parse(text).is_ok_and(|json| json.get("error").is_some()));
                }
            }
        }
    }

    /// Checks that a buffer with inconsistent fields is rejected and unchanged.
    fn foreign(&self, kind: u8) {
        let mut own = *b"own";
        let mut buffer = match kind % 2 {
            0 => payspec_buf {
                data: own.as_mut_ptr().cast(),
                len: 3,
                cap: 0,
            },
            _ => payspec_buf {
                data: null_mut(),
                len: 5,
                cap: 64,
            },
        };
        let before = (buffer.data, buffer.len, buffer.cap);
        let engine = self.engines[0]
            .as_ref()
            .map_or(null(), |(engine, _)| engine.cast_const());
        // SAFETY: the engine is NULL or alive, and the fields of the buffer show that it is
        // invalid.
        let number = unsafe { tables::payspec_states(engine, &raw mut buffer) };
        assert_eq!(number, PAYSPEC_ERROR_ARGUMENT);
        assert_eq!((buffer.data, buffer.len, buffer.cap), before);
        // SAFETY: as above.
        unsafe { payspec_buf_free(&raw mut buffer) };
        assert!(buffer.data.is_null() && buffer.cap == 0 && &own == b"own");
    }

    /// Checks that the buffer contains that text and a NUL after it.
    fn check_text(&self, slot: usize, text: &[u8]) {
        let Some(buffer) = self.buffers.get(slot) else {
            return;
        };
        assert_eq!(
            String::from_utf8_lossy(content(buffer)),
            String::from_utf8_lossy(text)
        );
    }

    fn input(&self, bytes: &mut Bytes<'_>) -> Input {
        let kind = bytes.next();
        let text = bytes.part().unwrap_or_default();
        let memory: Box<[u8]> = text.into();
        let data = memory.as_ptr().cast();
        let in_buffer = self
            .buffers
            .get(usize::from(kind / 8) % SLOTS)
            .filter(|buffer| !buffer.data.is_null());
        let (data, len, bytes) = match (kind % 8, in_buffer) {
            (0, _) => (null(), 0, Ok(None)),
            // Longer than any object, with or without a pointer.
            (6, _) => (null(), text.len() + 1, Err(())),
            (7, _) => (data, usize::MAX - text.len(), Err(())),
            // A previous answer, or the end of it, as input.
            (2, Some(buffer)) => {
                let start = text.len().min(buffer.len);
                let bytes = content(buffer)[start..].to_vec();
                (
                    buffer.data.cast_const().wrapping_add(start),
                    bytes.len(),
                    Ok(Some(bytes)),
                )
            }
            _ => (data, text.len(), Ok(Some(text.to_vec()))),
        };
        Input {
            data,
            len,
            bytes,
            _memory: memory,
        }
    }

    /// Frees the engines and the buffers. Their order is not specified.
    fn end(&mut self) {
        for engine in &mut self.engines {
            // SAFETY: NULL, or created by `payspec_engine_new` and taken out of its slot.
            unsafe { payspec_engine_free(engine.take().map_or(null_mut(), |(engine, _)| engine)) };
        }
        for buffer in &mut self.buffers {
            // SAFETY: a buffer without other users.
            unsafe { payspec_buf_free(std::ptr::from_mut(buffer)) };
        }
    }
}

/// Returns the answer of the core, or `None` if the C API must reject the pointer or length of an
/// input.
fn expected(
    engine: &Engine,
    operation: &payspec::operations::Operation,
    arguments: &[Input],
) -> Option<call::Answer> {
    let mut inputs = Vec::new();
    for argument in arguments {
        match &argument.bytes {
            Err(()) => return None,
            Ok(bytes) => inputs.push(bytes.as_deref()),
        }
    }
    Some(call::answer(engine, operation.name, &inputs))
}

fn content(buffer: &payspec_buf) -> &[u8] {
    if buffer.data.is_null() {
        return b"";
    }
    // SAFETY: the library wrote `len` bytes and a NUL; the program sets `len` only to 0.
    let bytes = unsafe {
        std::slice::from_raw_parts(buffer.data.cast_const().cast::<u8>(), buffer.len + 1)
    };
    let (end, text) = bytes.split_last().expect("at least the NUL");
    assert!(*end == 0 || buffer.len == 0, "no NUL after the text");
    text
}
