// The engine in WebAssembly: inputs are encoded directly into its memory, and answers are decoded from it.

import { PayspecError, tooLarge, unreadable } from "./error.js";
import { currentInstance } from "./instance.js";
import { getter } from "./kinds.js";
import { ObjectTape } from "./object_tape.js";
import { isPlain, KnownViolations, reportOf, rulesOf } from "./report.js";
import { decode, encoder } from "./utf8.js";

const LONE_SURROGATE = /\p{Surrogate}/u;
const isWellFormed = String.prototype.isWellFormed
  ? (text) => text.isWellFormed()
  : (text) => !LONE_SURROGATE.test(text);

const lengthOf = getter("length");
/** The length of the longest text that is decoded to be split. The texts of V8 have at most twice as many characters. */
const LONGEST = 2 ** 28;

/**
 * One engine and its memory for inputs and answers. An input is text, bytes, the tape of an object, or undefined
 * if it is missing.
 */
export class WasmEngine {
  #instance = currentInstance();
  /** The engine of wasm-bindgen, until it is freed. */
  #engine;
  /** The texts of reports without violations, by their numbers. */
  #plainTexts = [];
  #violations = new KnownViolations();
  // A view of the memory that is reserved for inputs.
  #input = new Uint8Array(0);

  constructor(policy) {
    this.#engine = this.#instance.run(() => new this.#instance.Engine(policy));
  }

  /** Returns the answer of an operation as JSON text. */
  text(operation, first, second) {
    return this.#call(operation, first, second, true, (code) => {
      return isPlain(code) ? (this.#plainTexts[code] ??= JSON.stringify(reportOf(code, []))) : this.#answer();
    });
  }

  /** Returns the report on a request as an object. */
  report(body, now) {
    return this.#run((engine) => {
      const length = this.#put(body, 0);
      const known = this.#violations.count;
      const code = now === undefined ? engine.report(length, known) : engine.report_at(length, this.#put(now, length), known);
      if (isPlain(code)) return reportOf(code, []);
      // Before the answer is read, since this call may move the memory.
      const rules = rulesOf(() => engine.rules_object());
      return reportOf(code, this.#take((answer) => this.#violations.read(answer, body, rules)));
    });
  }

  /** Returns true if an operation accepts. No answer is written. */
  accepts(operation, first, second) {
    return this.#call(operation, first, second, false, (code) => code === 0);
  }

  /** Returns the answer of a method that returns an object. */
  object(method, first, second) {
    return this.#call(method, first, second, undefined, (object) => object);
  }

  /** Returns the answers of an operation to many bodies, as JSON texts. The bodies share the second input. */
  batch(operation, bodies, second) {
    return this.#run((engine) => {
      const name = this.#put(operation, 0);
      const shared = second === undefined ? undefined : this.#put(second, name);
      const start = name + (shared ?? 0);
      const lengths = new DataView(new ArrayBuffer(4 * bodies.length));
      let end = start;
      for (const [index, body] of bodies.entries()) {
        const length = this.#put(body, end);
        lengths.setUint32(4 * index, length, true);
        end += length;
      }
      this.#put(new Uint8Array(lengths.buffer), end);
      engine.batch(name, shared, end - start, bodies.length);
      return this.#answers(bodies.length);
    });
  }

  /** Frees the memory. Further calls have no effect. */
  free() {
    const engine = this.#engine;
    this.#engine = undefined;
    // The engine of a lost instance is not freed, since wasm-bindgen would free it in the next one.
    if (engine && !this.#instance.isLost) this.#instance.run(() => engine.free());
  }

  /** Calls a method of the engine with inputs, and returns what `read` makes of its result. */
  #call(method, first, second, withAnswer, read) {
    return this.#run((engine) => {
      const one = first === undefined ? undefined : this.#put(first, 0);
      const two = second === undefined ? undefined : this.#put(second, one ?? 0);
      return read(engine[method](one, two, withAnswer));
    });
  }

  #run(call) {
    const engine = this.#engine;
    if (!engine) throw new PayspecError("argument", "/engine", "the engine is freed");
    try {
      return this.#instance.run(() => call(engine));
    } catch (error) {
      // An input that cannot be written ends the call before the operation clears the inputs before it.
      if (!this.#instance.isLost) this.#input.fill(0);
      throw error;
    }
  }

  #answer() {
    return this.#take(decode);
  }

  /** Returns what a function reads from the bytes of the answer, which are then cleared: they may contain card numbers. */
  #take(read) {
    const at = this.#engine.answer();
    const bytes = this.#instance.bytes().subarray(at, at + this.#engine.answer_len());
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
    if (input instanceof ObjectTape) return this.#putTape(input, offset);
    if (typeof input !== "string") {
      const length = lengthOf(input);
      this.#reserve(offset + length);
      try {
        this.#input.set(input, offset);
      } catch {
        throw unreadable();
      }
      return length;
    }
    const utf8 = encoder();
    if (!utf8.encodeInto) return this.#put(encode(input), offset);
    // A text has at least as many bytes as code units, and at most three times as many.
    this.#reserve(offset + input.length);
    let { read, written } = utf8.encodeInto(input, offset === 0 ? this.#input : this.#input.subarray(offset));
    // If there are as many bytes as code units, the text is ASCII.
    if (written === read && read === input.length) return written;
    // encodeInto replaces a lone surrogate by U+FFFD.
    if (!isWellFormed(input)) return this.#put(encode(input), offset);
    if (read < input.length) {
      const rest = input.slice(read);
      this.#reserve(offset + written + rest.length * 3);
      written += utf8.encodeInto(rest, this.#input.subarray(offset + written)).written;
    }
    return written;
  }

  /** Writes the JSON text of a tape: its texts, and after them its structure, which the module replaces by the JSON text. */
  #putTape(tape, offset) {
    const { bytes, length, texts } = tape;
    // The longest UTF-8 of the texts.
    this.#reserve(offset + 3 * texts.length + length);
    const utf8 = encoder();
    if (!utf8.encodeInto) return this.#put(tape.takeJson(), offset);
    const input = this.#input;
    const { written } = utf8.encodeInto(texts, offset === 0 ? input : input.subarray(offset));
    const isAscii = written === texts.length;
    // Faster than `set` with a part of the array, since most tapes are short.
    for (let index = 0, at = offset + written; index < length; index++, at++) input[at] = bytes[index];
    const json = isAscii || isWellFormed(texts) ? this.#engine.write_json(offset, written, length, isAscii) : undefined;
    if (json === undefined) return this.#put(tape.takeJson(), offset);
    tape.release();
    // The input has moved if it has grown, or with all memory.
    if (offset + json > this.#input.length) this.#view();
    return json;
  }

  #reserve(length) {
    // The length of a detached view is 0, so not even an empty input can be written to it. V8 reads `byteLength` slower.
    if (length < this.#input.length) return;
    if (!(length < 2 ** 31) || this.#engine.reserve_input(length) === undefined) throw tooLarge();
    this.#view();
  }

  #view() {
    const at = this.#engine.reserve_input(0);
    this.#input = this.#instance.bytes().subarray(at, at + this.#engine.input_len());
  }
}

/** Returns UTF-8. A lone surrogate becomes an invalid byte, so that the reader reports its position. */
function encode(text) {
  const encoded = encoder().encode(text);
  const lone = text.search(LONE_SURROGATE);
  if (lone >= 0) encoded[encoder().encode(text.slice(0, lone)).length] = 0xff;
  return encoded;
}
