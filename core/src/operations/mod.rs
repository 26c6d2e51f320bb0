//! The table of operations with JSON input and output, which the C API and the JS API call.
//!
//! Each operation parses its context, calls one typed method of [`Engine`], and writes the result.
//! The same inputs produce the same bytes on every call.

mod run;
mod verdict;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use crate::engine::Engine;
use crate::error::Error;
use crate::util::bug::or_bug;
pub use verdict::Verdict;
use verdict::{BodyFn, Out};

/// One input of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Input {
    /// The name, as in the documentation of every binding.
    pub name: &'static str,
    /// Whether the input is required.
    pub required: bool,
}

type Run = fn(&Engine, &[Option<&[u8]>], Out<'_>) -> Result<Verdict, Error>;
type BodyCall<'a> = Box<dyn BodyFn + 'a>;
/// Parses the input that all bodies share.
type Prepare = for<'a> fn(&'a Engine, Option<&'a [u8]>) -> Result<BodyCall<'a>, Error>;

/// One row of the table of operations.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// The name, which is also the Rust method and, after `payspec_`, the C function.
    pub name: &'static str,
    /// The inputs, in order.
    pub inputs: &'static [Input],
    /// A description in one sentence.
    pub summary: &'static str,
    run: Run,
}

impl Operation {
    /// Runs the operation, and writes its result to `out`.
    ///
    /// `out` is cleared first. If it is `None`, only the verdict is determined.
    ///
    /// # Errors
    /// Returns an argument error if there are more inputs than listed. Returns one at the path of
    /// the input if a required input is missing. Returns a context or UTF-8 error if a context or
    /// plain text is invalid. `out` then holds the error as JSON.
    ///
    /// # Examples
    /// ```
    /// use payspec::Engine;
    /// use payspec::operations::{Verdict, operation};
    ///
    /// let engine = Engine::default();
    /// let validate = operation("validate_request").expect("an operation of the table");
    /// let body = br#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}"#;
    ///
    /// // The verdict alone is the fastest.
    /// assert_eq!(validate.call(&engine, &[Some(body), None], None)?, Verdict::Accepted);
    ///
    /// let mut answer = Vec::new();
    /// validate.call(&engine, &[Some(body), Some(b"2026-11-20T10:15:30Z")], Some(&mut answer))?;
    /// assert_eq!(answer, br#"{"valid":true,"variant":"pay_in","mode":"P2P","host2host":false,"violations":[]}"#);
    /// # Ok::<(), payspec::Error>(())
    /// ```
    pub fn call(
        &self,
        engine: &Engine,
        inputs: &[Option<&[u8]>],
        mut out: Option<&mut Vec<u8>>,
    ) -> Result<Verdict, Error> {
        if let Some(out) = out.as_deref_mut() {
            out.clear();
        }
        let answer = (self.run)(engine, inputs, out.as_deref_mut());
        if let (Err(error), Some(out)) = (&answer, out) {
            out.clear();
            error.write_json(out);
        }
        answer
    }

    /// Runs the operation with each of `bodies`, which share the second input.
    ///
    /// `shared` is parsed once, before the first call. It is `None` if the operation has no second
    /// input, or if an optional one is missing. Each body has the same verdict and answer as in
    /// [`Operation::call`].
    ///
    /// # Errors
    /// Returns an argument error at `/operation` if the first input of the operation is not a body.
    /// Otherwise returns the errors of [`Operation::call`] for the second input.
    ///
    /// # Examples
    /// ```
    /// use payspec::Engine;
    /// use payspec::operations::{Verdict, operation};
    ///
    /// let engine = Engine::default();
    /// let locate = operation("locate").expect("an operation of the table");
    /// let verdicts = locate.batch(&engine, [r#"{"cur":"RUB"}"#, "{}"], Some(b"/cur"))?;
    /// assert_eq!(verdicts.collect::<Vec<_>>(), [Verdict::Accepted, Verdict::Rejected]);
    ///
    /// let redact = operation("redact").expect("an operation of the table");
    /// let mut batch = redact.batch(&engine, [r#"{"cvv":"739"}"#, r#"{"pan":"4111111111111111"}"#], None)?;
    /// let mut answers = Vec::new();
    /// while batch.next_into(&mut answers).is_some() {}
    /// assert_eq!(answers, br#"{"cvv":"***"}{"pan":"411111******1111"}"#);
    /// # Ok::<(), payspec::Error>(())
    /// ```
    pub fn batch<'a, I: IntoIterator<Item: AsRef<[u8]>>>(
        &self,
        engine: &'a Engine,
        bodies: I,
        shared: Option<&'a [u8]>,
    ) -> Result<Batch<'a, I::IntoIter>, Error> {
        batch(self.name, engine, bodies, shared)
    }
}

/// Calls [`Operation::batch`] of the operation with this name.
///
/// A program that calls only this function contains no other function of the table.
///
/// # Errors
/// Returns the errors of [`Operation::batch`], that at `/operation` also if there is no such
/// operation.
///
/// # Examples
/// ```
/// use payspec::Engine;
/// use payspec::operations::{Verdict, batch};
///
/// let engine = Engine::default();
/// let verdicts = batch("fingerprint_request", &engine, ["{}", "["], None)?;
/// assert_eq!(verdicts.collect::<Vec<_>>(), [Verdict::Accepted, Verdict::Rejected]);
/// assert_eq!(batch("states", &engine, ["{}"], None).unwrap_err().path(), "/operation");
/// # Ok::<(), payspec::Error>(())
/// ```
pub fn batch<'a, I: IntoIterator<Item: AsRef<[u8]>>>(
    operation: &str,
    engine: &'a Engine,
    bodies: I,
    shared: Option<&'a [u8]>,
) -> Result<Batch<'a, I::IntoIter>, Error> {
    let prepare = prepare(operation).ok_or_else(|| {
        Error::argument(
            "/operation",
            "expected an operation whose first input is a body",
        )
    })?;
    Ok(Batch {
        call: prepare(engine, shared)?,
        bodies: bodies.into_iter(),
    })
}

/// The calls of [`Operation::batch`]: an iterator of the verdicts, in the order of the bodies.
///
/// [`Batch::next_into`] writes the answer as well. The iterator itself only determines the verdict,
/// which is faster.
pub struct Batch<'a, I> {
    call: BodyCall<'a>,
    bodies: I,
}

impl<B: AsRef<[u8]>, I: Iterator<Item = B>> Batch<'_, I> {
    /// Runs the operation with the next body and appends the answer to `out`. Returns `None` after
    /// the last body.
    #[inline]
    pub fn next_into(&mut self, out: &mut Vec<u8>) -> Option<Verdict> {
        let body = self.bodies.next()?;
        Some((self.call)(body.as_ref(), Some(out)))
    }
}

impl<B: AsRef<[u8]>, I: Iterator<Item = B>> Iterator for Batch<'_, I> {
    type Item = Verdict;

    #[inline]
    fn next(&mut self) -> Option<Verdict> {
        let body = self.bodies.next()?;
        Some((self.call)(body.as_ref(), None))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.bodies.size_hint()
    }
}

impl<B: AsRef<[u8]>, I: ExactSizeIterator<Item = B>> ExactSizeIterator for Batch<'_, I> {}

// The bodies and the shared input may contain card data or secrets.
impl<I> fmt::Debug for Batch<'_, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").finish_non_exhaustive()
    }
}

/// Returns the inputs by index if every required input is present.
///
/// `known` has the path of each input, and whether it is required.
fn checked<'i, const N: usize>(
    inputs: &[Option<&'i [u8]>],
    known: [(&'static str, bool); N],
) -> Result<[Option<&'i [u8]>; N], Error> {
    if inputs.len() > N {
        return Err(Error::argument("", "too many inputs"));
    }
    let mut inputs = inputs.iter().copied();
    let checked = known.map(|_| inputs.next().flatten());
    match known
        .iter()
        .zip(&checked)
        .find(|((_, required), input)| *required && input.is_none())
    {
        Some(((path, _), _)) => Err(Error::argument(*path, "required")),
        None => Ok(checked),
    }
}

/// Returns the operation with this name.
///
/// ```
/// let names: Vec<_> = payspec::operations::OPERATIONS.iter().map(|operation| operation.name).collect();
/// assert!(names.contains(&"create_payment"));
/// assert!(payspec::operations::operation("createPayment").is_none());
/// ```
pub fn operation(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.name == name)
}

/// Returns the index of an operation in [`OPERATIONS`].
///
/// Bindings call it at compile time, so that an unknown name does not compile.
///
/// ```
/// use payspec::operations::{OPERATIONS, index_of};
///
/// const CONVERT: usize = index_of("convert");
/// assert_eq!(OPERATIONS[CONVERT].name, "convert");
/// ```
/// ```compile_fail
/// const NONE: usize = payspec::operations::index_of("konvert");
/// ```
///
/// # Panics
/// Panics if the operation does not exist. Call it only in a constant, where a panic is a compile
/// error.
#[expect(
    clippy::panic,
    clippy::indexing_slicing,
    reason = "at compile time a panic is an error of the compiler"
)]
pub const fn index_of(name: &str) -> usize {
    let mut index = 0;
    while index < OPERATIONS.len() {
        if same(OPERATIONS[index].name.as_bytes(), name.as_bytes()) {
            return index;
        }
        index = index.saturating_add(1);
    }
    panic!("no such operation")
}

/// Compares two texts; `==` of slices is not `const` yet.
const fn same(a: &[u8], b: &[u8]) -> bool {
    match (a, b) {
        ([], []) => true,
        ([first, a @ ..], [other, b @ ..]) => *first == *other && same(a, b),
        _ => false,
    }
}

/// Implements one operation of the table, alone and in a batch.
///
/// The function of an operation with a body takes the other input, and returns a function of body
/// and output. `run` checks the inputs itself, so that a program with one operation does not
/// contain the names of other inputs.
macro_rules! operation {
    // Functions, since the program that selects an operation would compile closures with its own
    // optimization level.
    (run $name:ident body true $(, $shared:ident $required:tt)?) => {{
        fn run(engine: &Engine, inputs: &[Option<&[u8]>], out: Out<'_>) -> Result<Verdict, Error> {
            let [body $(, $shared)?] =
                checked(inputs, [("/body", true) $(, (concat!("/", stringify!($shared)), $required))?])?;
            let call = run::$name(engine $(, operation!(input $required $shared))?)?;
            Ok(call(operation!(input true body), out))
        }
        run
    }};
    (run $name:ident $($input:ident $required:tt),*) => {{
        fn run(engine: &Engine, inputs: &[Option<&[u8]>], out: Out<'_>) -> Result<Verdict, Error> {
            let [$($input),*] = checked(inputs, [$((concat!("/", stringify!($input)), $required)),*])?;
            run::$name(engine $(, operation!(input $required $input))*, out)
        }
        run
    }};
    (prepare $name:ident body true $(, $shared:ident $required:tt)?) => {{
        let prepare: Prepare = |engine, shared| {
            let [$($shared)?] =
                checked(shared.map(Some).as_slice(), [$((concat!("/", stringify!($shared)), $required))?])?;
            Ok(Box::new(run::$name(engine $(, operation!(input $required $shared))?)?))
        };
        Some(prepare)
    }};
    (prepare $name:ident $($input:ident $required:tt),*) => {
        None
    };
    // `checked` has found that a required input is present.
    (input true $input:ident) => { or_bug($input, &[]) };
    (input false $input:ident) => { $input };
}

macro_rules! operations {
    ($($(#[$attribute:meta])* $name:ident [$($input:tt $required:tt),*] $summary:literal;)*) => {
        /// All operations, in the order of the documentation.
        pub static OPERATIONS: &[Operation] = &[
            $($(#[$attribute])* Operation {
                name: stringify!($name),
                inputs: &[$(Input { name: stringify!($input), required: $required }),*],
                summary: $summary,
                run: operation!(run $name $($input $required),*),
            },)*
        ];

        /// Returns the function that prepares a batch, if the first input of the operation is a
        /// body.
        ///
        /// It is not part of [`Operation`], so that the small WebAssembly module for pages does not
        /// contain it.
        fn prepare(name: &str) -> Option<Prepare> {
            match name {
                $($(#[$attribute])* stringify!($name) => operation!(prepare $name $($input $required),*),)*
                _ => None,
            }
        }
    };
}

operations! {
    validate_request [body true, now false] "Validates the body of a creation request, and reports all violations.";
    create_payment [body true, context true] "Returns the exact response to POST /v1/payments/new.";
    read_payment [context true] "Returns the exact response to GET /v1/payments/{uid}/status.";
    read_balance [context true] "Returns the exact response to GET /v1/partner/balance.";
    check_payment [body true, request false] "Validates a payment, and checks that it matches its request.";
    field_currencies [body true] "Returns the currency of each amount of a payment.";
    convert [context true] "Converts a fiat amount to USDT.";
    advance_payment [context true] "Moves a stored payment to another state, and updates the dependent members.";
    check_transition [context true] "Evaluates a transition from one state to another.";
    states [] "Returns the table of states.";
    check_idempotency [context true] "Evaluates a repeated idempotency key.";
    idempotency_key [header false] "Returns the key in the value of an Idempotency-Key header.";
    fingerprint_request [body true] "Returns the fingerprint of a request body.";
    authorize [header false] "Parses the value of an Authorization header.";
    upgrade_request [kind true, body true] "Migrates a request of the legacy API to the current API.";
    downgrade_request [body true] "Migrates a request to the legacy API.";
    upgrade_balance [body true] "Migrates a balance of the legacy API to the current API.";
    downgrade_balance [body true] "Migrates a balance to the legacy API.";
    upgrade_payment [body true] "Migrates a payment of the legacy API to the current API.";
    downgrade_payment [body true] "Migrates a payment to the legacy API.";
    redact [body true] "Masks card numbers and security codes in a body, so that it is safe to log.";
    redact_text [text true] "Masks card numbers and security codes in a text, so that it is safe to log.";
    sign_webhook [body true, context true] "Signs a webhook, and returns the headers to send with it.";
    verify_webhook [body true, context true] "Verifies the signature and the time of a received webhook.";
    locate [body true, pointer true] "Locates a value in a body by its JSON Pointer.";
    card_info [digits true] "Returns the scheme and format of a card number, also while it is typed.";
    compare_policies [context true] "Compares the requests that two policies accept.";
    rules [] "Returns the catalogue of violation codes.";
    decisions [] "Returns the register of what the specification leaves open.";
    #[cfg(feature = "openapi")]
    openapi [] "Returns an OpenAPI 3.1 description of the three endpoints.";
}
