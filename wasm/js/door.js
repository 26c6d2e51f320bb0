// The way into WebAssembly and back: text is encoded straight into the engine's memory, the answer is decoded from it.

import { PayspecError } from "./error.js";

const encoder = new TextEncoder();
// An answer that began with a BOM would keep it: the bytes are the answer.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const LONE_SURROGATE = /\p{Surrogate}/u;
const isWellFormed = String.prototype.isWellFormed
  ? (text) => text.isWellFormed()
  : (text) => !LONE_SURROGATE.test(text);

let start;
let wasm;
let Door;
let memory = new Uint8Array(0);
// Where WebAssembly's stack begins: every call starts there, for none goes back to JavaScript of the program's own.
let stack;
// Whether a call is under way.
let inside = false;

/** How the first engine gets WebAssembly's exports. */
export function connect(how) {
  start ??= how;
}

/** All of the memory. Growth detaches the old view, which is then empty. */
function bytes() {
  if (memory.byteLength === 0) memory = new Uint8Array(wasm.memory.buffer);
  return memory;
}

/** The length of bytes, whatever a subclass says of it. */
const lengthOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "length").get;

/**
 * Before a call. One that was cut off, above all where JavaScript's stack had come to its end, has left WebAssembly's own
 * stack as it was: it is put back, or some hundred such calls would use it up for all engines.
 */
function enter() {
  if (inside) wasm.__stack_pointer.value = stack;
  inside = true;
}

/** What a call that was cut off throws. A trap is a bug of the library; the page goes on. */
function cut(error) {
  if (!(error instanceof WebAssembly.RuntimeError)) return error;
  return new PayspecError("panic", "", "the library panicked: this is a bug of it");
}

/** One engine and its memory for inputs and answers. */
export class Handle {
  #door;
  #at = 0;
  // The room for inputs, as a view of it.
  #room = new Uint8Array(0);
  // Reports that tell of nothing have few forms, each with a number: the texts by their numbers, and a bit for each.
  #reports = [];
  #has = 1;

  constructor(policy) {
    if (!start) throw new PayspecError("argument", "/engine", "await init() first");
    if (!wasm) {
      ({ exports: wasm, Door } = start());
      stack = wasm.__stack_pointer.value;
    }
    let refusal;
    enter();
    try {
      this.#door = new Door();
      this.#at = this.#door.address();
      if (policy !== undefined && wasm.payspec_policy(this.#at, this.#put(policy, 0)) !== 0) refusal = this.#answer();
    } catch (error) {
      throw cut(error);
    }
    inside = false;
    if (refusal === undefined) return;
    this.free();
    throw misuse(refusal);
  }

  /** The answer of an operation as JSON text. An input is text, bytes, or undefined where it is not there. */
  text(operation, first, second) {
    let code;
    let answer;
    enter();
    try {
      code = this.#call(operation, first, second, this.#has);
      const number = code >> 1;
      if (number > 0 && this.#has & (1 << number)) {
        answer = this.#reports[number];
      } else {
        answer = this.#answer();
        if (number > 0) {
          this.#reports[number] = answer;
          this.#has |= 1 << number;
        }
      }
    } catch (error) {
      throw cut(error);
    }
    inside = false;
    if (code >= 0) return answer;
    throw misuse(answer);
  }

  /** Whether an operation accepts: no answer is made. */
  accepts(operation, first, second) {
    let code;
    enter();
    try {
      code = this.#call(operation, first, second, 0);
    } catch (error) {
      throw cut(error);
    }
    inside = false;
    if (code < 0) this.text(operation, first, second);
    return code === 0;
  }

  /** The policy in force. */
  policy() {
    this.#alive();
    enter();
    try {
      const policy = this.#door.policy();
      inside = false;
      return policy;
    } catch (error) {
      throw cut(error);
    }
  }

  /** Gives the memory back. Safe twice. */
  free() {
    if (this.#at === 0) return;
    this.#at = 0;
    enter();
    try {
      this.#door.free();
      inside = false;
    } catch {
      // wasm-bindgen keeps an engine lent of which a call was cut off: its memory is lost, and nothing else.
    }
  }

  #alive() {
    if (this.#at === 0) throw new PayspecError("argument", "/engine", "the engine is freed");
  }

  #call(operation, first, second, told) {
    this.#alive();
    const one = first === undefined ? -1 : this.#put(first, 0);
    const two = second === undefined ? -1 : this.#put(second, one < 0 ? 0 : one);
    return wasm[operation](this.#at, one, two, told);
  }

  #answer() {
    const at = address(wasm.payspec_answer(this.#at));
    return decoder.decode(bytes().subarray(at, at + address(wasm.payspec_answer_len(this.#at))));
  }

  /** Writes an input at `offset` of the room; how many bytes it has. */
  #put(input, offset) {
    if (typeof input !== "string") {
      const length = lengthOf.call(input);
      this.#reserve(offset + length);
      try {
        this.#room.set(input, offset);
      } catch {
        // Of a buffer that was handed over to another thread.
        throw new PayspecError("value", "", "bytes that can be read");
      }
      return length;
    }
    if (!encoder.encodeInto) return this.#put(encode(input), offset);
    // A text has at least as many bytes as it has units, and at most three times as many.
    this.#reserve(offset + input.length);
    let { read, written } = encoder.encodeInto(input, offset === 0 ? this.#room : this.#room.subarray(offset));
    // As many bytes as units: all of it is ASCII.
    if (written === read && read === input.length) return written;
    if (read < input.length) {
      const rest = input.slice(read);
      this.#reserve(offset + written + rest.length * 3);
      written += encoder.encodeInto(rest, this.#room.subarray(offset + written)).written;
    }
    // A lone surrogate has become U+FFFD. Its first byte is rare, and a look for it takes a tenth of one through the text.
    if (wasm.payspec_replaced(this.#at, offset, written) && !isWellFormed(input)) return this.#put(encode(input), offset);
    return written;
  }

  #reserve(length) {
    // A view that memory's growth has detached has no length: not even nothing could be written to it. `byteLength` says the
    // same, but V8 takes longer to read it, and this is read at every call.
    if (length < this.#room.length) return;
    const at = length < 2 ** 31 ? address(wasm.payspec_room(this.#at, length)) : 0;
    if (at === 0) throw new PayspecError("memory", "", "an input that fits into memory");
    this.#room = bytes().subarray(at, at + address(wasm.payspec_capacity(this.#at)));
  }
}

/** WebAssembly's numbers have a sign in JavaScript; addresses have none, and memory may be larger than 2 GB. */
const address = (number) => number >>> 0;

/** What an answer that tells of misuse becomes. */
function misuse(answer) {
  const { error } = JSON.parse(answer);
  return new PayspecError(error.code, error.path, error.message);
}

/** UTF-8. A lone surrogate has none, and becomes bytes that no UTF-8 has: the reader then says where it stands. */
function encode(text) {
  const encoded = encoder.encode(text);
  const lone = text.search(LONE_SURROGATE);
  if (lone >= 0) encoded[encoder.encode(text.slice(0, lone)).length] = 0xff;
  return encoded;
}
