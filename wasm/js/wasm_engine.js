// One engine in WebAssembly: inputs are encoded directly into its memory, and answers are decoded from it.

import { instantiate } from "#instance";
import { panic, PayspecError, tooLarge, unreadable } from "./error.js";
import { getter } from "./inputs.js";

const encoder = new TextEncoder();
// The answer is returned unchanged, even if it begins with a BOM.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const LONE_SURROGATE = /\p{Surrogate}/u;
const isWellFormed = String.prototype.isWellFormed
  ? (text) => text.isWellFormed()
  : (text) => !LONE_SURROGATE.test(text);

const lengthOf = getter("length");
/** The length of the longest text that is decoded to be split. The texts of V8 have at most twice as many characters. */
const LONGEST = 2 ** 28;

/** Returns the compiled module. */
let compiledModule;
/** The instance that new engines use. */
let current;

/** Sets the function that returns the compiled module. */
export function setLoader(loader) {
  compiledModule = loader;
}

/** An instance of the module, with the memory of all its engines. */
class Instance {
  exports = instantiate(compiledModule());
  /**
   * Stays true after a call that did not end: a trap, or an overflow of the stack. The memory may then be
   * inconsistent, so no further call is made.
   */
  inCall = false;
  #memory = new Uint8Array(0);

  beginCall() {
    if (this.inCall) throw panic();
    this.inCall = true;
  }

  /** Returns all of the memory. Growth detaches the previous view, which is then empty. */
  bytes() {
    if (this.#memory.byteLength === 0) this.#memory = new Uint8Array(this.exports.memory.buffer);
    return this.#memory;
  }

  /** Frees an engine, unless a call did not end. */
  free(at) {
    if (this.inCall) return;
    this.inCall = true;
    try {
      this.exports.payspec_free(at);
      this.inCall = false;
    } catch {
      // The instance is not used any more.
    }
  }
}

const abandoned = new FinalizationRegistry(({ instance, at }) => instance.free(at));

/** One engine and its memory for inputs and answers. */
export class WasmEngine {
  #instance;
  #exports;
  #at = 0;
  // The reports without violations, by their codes.
  #reports = [];
  // A view of the memory that is reserved for inputs.
  #input = new Uint8Array(0);

  constructor(policy) {
    if (!current || current.inCall) current = new Instance();
    this.#instance = current;
    this.#exports = current.exports;
    let code = 0;
    current.beginCall();
    try {
      this.#at = this.#exports.payspec_new();
      abandoned.register(this, { instance: this.#instance, at: this.#at }, this);
      if (policy !== undefined) code = this.#exports.payspec_policy(this.#at, this.#put(policy, 0));
    } catch (error) {
      throw wrapTrap(error);
    }
    this.#instance.inCall = false;
    if (code === 0) return;
    const refusal = this.#answer();
    this.free();
    throw toPayspecError(refusal);
  }

  /** Returns the answer of an operation as JSON text. An input is text, bytes, or undefined if it is missing. */
  text(operation, first, second) {
    const code = this.#call(operation, first, second, 1);
    const answer = code < 2 ? this.#answer() : (this.#reports[code] ??= this.#answer());
    if (code >= 0) return answer;
    throw toPayspecError(answer);
  }

  /** Returns true if an operation accepts. No answer is written. */
  accepts(operation, first, second) {
    const code = this.#call(operation, first, second, 0);
    if (code < 0) this.text(operation, first, second);
    return code === 0;
  }

  /** Returns the answers of an operation to many bodies, as JSON texts. The bodies share the second input. */
  batch(operation, bodies, second) {
    let code;
    this.#beginCall();
    try {
      const name = this.#put(operation, 0);
      const shared = second === undefined ? -1 : this.#put(second, name);
      const start = name + Math.max(shared, 0);
      const lengths = new DataView(new ArrayBuffer(4 * bodies.length));
      let end = start;
      for (const [index, body] of bodies.entries()) {
        const length = this.#put(body, end);
        lengths.setUint32(4 * index, length, true);
        end += length;
      }
      this.#put(new Uint8Array(lengths.buffer), end);
      code = this.#exports.payspec_batch(this.#at, name, shared, end - start, bodies.length);
    } catch (error) {
      throw wrapTrap(error);
    }
    this.#instance.inCall = false;
    if (code >= 0) return this.#answers(bodies.length);
    throw toPayspecError(this.#answer());
  }

  /** Returns the policy as JSON. */
  policy() {
    let policy;
    this.#beginCall();
    try {
      policy = this.#exports.policy(this.#at);
    } catch (error) {
      throw wrapTrap(error);
    }
    this.#instance.inCall = false;
    return policy;
  }

  /** Frees the memory. Further calls have no effect. */
  free() {
    if (this.#at === 0) return;
    abandoned.unregister(this);
    this.#instance.free(this.#at);
    this.#at = 0;
  }

  #beginCall() {
    if (this.#at === 0) throw new PayspecError("argument", "/engine", "the engine is freed");
    this.#instance.beginCall();
  }

  /** Calls an operation, and returns its verdict. */
  #call(operation, first, second, withAnswer) {
    let code;
    this.#beginCall();
    try {
      const one = first === undefined ? -1 : this.#put(first, 0);
      const two = second === undefined ? -1 : this.#put(second, one < 0 ? 0 : one);
      code = this.#exports[operation](this.#at, one, two, withAnswer);
    } catch (error) {
      throw wrapTrap(error);
    }
    this.#instance.inCall = false;
    return code;
  }

  #answer() {
    return this.#take(decode);
  }

  /** Returns what a function reads from the bytes of the answer, which are then cleared: they may contain card numbers. */
  #take(read) {
    const at = address(this.#exports.payspec_answer(this.#at));
    const bytes = this.#instance.bytes().subarray(at, at + address(this.#exports.payspec_answer_len(this.#at)));
    try {
      return read(bytes);
    } finally {
      bytes.fill(0);
    }
  }

  /** Returns the texts of a batch, whose ends follow them. */
  #answers(count) {
    return this.#take((bytes) => {
      const length = bytes.length - 4 * count;
      const ends = new DataView(bytes.buffer, bytes.byteOffset + length);
      const whole = length > LONGEST ? "" : decode(bytes.subarray(0, length));
      // If there are as many characters as bytes, all are ASCII, and slices are faster than one call of the decoder for each.
      const part = whole.length === length ? (start, end) => whole.slice(start, end) : (start, end) => decode(bytes.subarray(start, end));
      const answers = [];
      for (let index = 0, start = 0; index < count; index++) {
        const end = ends.getUint32(4 * index, true);
        answers.push(part(start, end));
        start = end;
      }
      return answers;
    });
  }

  /** Writes an input at `offset` of the reserved memory, and returns its length in bytes. */
  #put(input, offset) {
    if (typeof input !== "string") {
      const length = lengthOf(input);
      this.#reserve(offset + length);
      try {
        this.#input.set(input, offset);
      } catch {
        throw this.#rejected(unreadable());
      }
      return length;
    }
    if (!encoder.encodeInto) return this.#put(encode(input), offset);
    // A text has at least as many bytes as code units, and at most three times as many.
    this.#reserve(offset + input.length);
    let { read, written } = encoder.encodeInto(input, offset === 0 ? this.#input : this.#input.subarray(offset));
    // If there are as many bytes as code units, the text is ASCII.
    if (written === read && read === input.length) return written;
    if (read < input.length) {
      const rest = input.slice(read);
      this.#reserve(offset + written + rest.length * 3);
      written += encoder.encodeInto(rest, this.#input.subarray(offset + written)).written;
    }
    // encodeInto replaces a lone surrogate by U+FFFD. The first byte of that is rare, and a search for it takes a tenth of
    // the time of a check of the text.
    if (this.#exports.payspec_may_contain_replacement(this.#at, offset, written) && !isWellFormed(input)) {
      return this.#put(encode(input), offset);
    }
    return written;
  }

  #reserve(length) {
    // The length of a detached view is 0, so not even an empty input can be written to it. V8 reads `byteLength` slower.
    if (length < this.#input.length) return;
    const at = length < 2 ** 31 ? address(this.#exports.payspec_reserve_input(this.#at, length)) : 0;
    if (at === 0) throw this.#rejected(tooLarge());
    this.#input = this.#instance.bytes().subarray(at, at + address(this.#exports.payspec_capacity(this.#at)));
  }

  /** Ends the call before the operation, because of an input, clears the inputs before that one, and returns the error. */
  #rejected(error) {
    this.#input.fill(0);
    this.#instance.inCall = false;
    return error;
  }
}

/** Numbers of WebAssembly are signed in JavaScript, but addresses are not, and memory may be larger than 2 GB. */
const address = (number) => number >>> 0;

/** Returns the error to throw for a call that did not end. A trap is a bug of the library. */
const wrapTrap = (error) => (error instanceof WebAssembly.RuntimeError ? panic() : error);

/** Returns bytes as text. */
function decode(bytes) {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new PayspecError("memory", "", "expected an answer that fits into a string");
  }
}

/** Returns the exception of an answer that is an error. */
function toPayspecError(answer) {
  const { error } = JSON.parse(answer);
  return new PayspecError(error.code, error.path, error.message);
}

/** Returns UTF-8. A lone surrogate becomes an invalid byte, so that the reader reports its position. */
function encode(text) {
  const encoded = encoder.encode(text);
  const lone = text.search(LONE_SURROGATE);
  if (lone >= 0) encoded[encoder.encode(text.slice(0, lone)).length] = 0xff;
  return encoded;
}
