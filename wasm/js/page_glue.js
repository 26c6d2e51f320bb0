// The module for pages with the interface that wasm-bindgen generates for the full one: `initSync`, and a class `Engine`.

import { catalogue } from "./catalogue.js";
import { PayspecError } from "./error.js";
import { decode, encoder } from "./utf8.js";

/** The end of the stack, from which it grows down: its size in `xtask/src/build/npm/modules.rs`. */
const STACK_END = 65536;
/** The bytes before the end that calls use. A test checks that no call uses more. */
const STACK_USED = 20480;
/** The length of an input that is missing. */
const MISSING = -1;
const CALLER_ERROR = 2;
const NOT_UTF8 = 3;

let exports;

/** Starts an instance, unless there is one. Returns its exports. */
export function initSync({ module }) {
  return (exports ??= new WebAssembly.Instance(module).exports);
}

/** Makes `initSync` start another instance. */
export function __wbg_reset_state() {
  exports = undefined;
}

/** Frees the engines that are garbage. Those of an instance that was replaced are gone with it. */
const garbage = new FinalizationRegistry(({ instance, engine }) => instance === exports && instance.free(engine));

const notUtf8 = (path) => new PayspecError("utf8", path, "expected UTF-8");

let stack = new Uint8Array(0);

/** Clears the stack: rules copy digits of card numbers to it. */
function clearStack() {
  // Growth of the memory detaches the view, which is then empty.
  if (stack.buffer !== exports.memory.buffer) stack = new Uint8Array(exports.memory.buffer, STACK_END - STACK_USED, STACK_USED);
  stack.fill(0);
}

export class Engine {
  #engine = exports.create();

  constructor(policy) {
    garbage.register(this, { instance: exports, engine: this.#engine }, this);
    if (policy === undefined) return;
    const bytes = encoder().encode(policy);
    const at = this.reserve_input(bytes.length);
    new Uint8Array(exports.memory.buffer).set(bytes, at);
    const isValid = exports.set_policy(this.#engine, bytes.length) !== CALLER_ERROR;
    clearStack();
    if (isValid) return;
    const { error } = JSON.parse(this.#answer());
    this.free();
    throw new PayspecError(error.code, error.path, error.message);
  }

  free() {
    garbage.unregister(this);
    exports.free(this.#engine);
  }

  static names() {
    const engine = new Engine();
    exports.names(engine.#engine);
    const names = engine.#answer();
    engine.free();
    return names;
  }

  write_json(offset, texts, tokens, isAscii) {
    const length = exports.write_json(this.#engine, offset, texts, tokens, isAscii ? 1 : 0);
    return length === MISSING ? undefined : length;
  }

  reserve_input(length) {
    return exports.reserve(this.#engine, length) || undefined;
  }

  input_len() {
    return exports.reserved(this.#engine);
  }

  answer() {
    return exports.answer(this.#engine);
  }

  answer_len() {
    return exports.answer_len(this.#engine);
  }

  report(body, known) {
    return this.report_at(body, MISSING, known);
  }

  report_at(body, now, known) {
    return this.#read(exports.report(this.#engine, body, now, known));
  }

  rules_object() {
    return catalogue();
  }

  /** Returns the verdict. The full module can write the report too. */
  validate_request(body, now) {
    return this.#read(exports.is_valid_request(this.#engine, body, now ?? MISSING));
  }

  /** Returns the result of a validation unless the time is invalid. */
  #read(result) {
    clearStack();
    if (result === NOT_UTF8) throw notUtf8("/now");
    if (result === CALLER_ERROR) {
      throw new PayspecError("context", "/now", "expected an RFC 3339 timestamp with T, in the UTC years 0000 to 9999");
    }
    return result;
  }

  card_info(digits) {
    const verdict = exports.card_info(this.#engine, digits);
    clearStack();
    if (verdict === NOT_UTF8) throw notUtf8("/digits");
    return verdict;
  }

  /** Returns the text of the answer, and clears it. */
  #answer() {
    const bytes = new Uint8Array(exports.memory.buffer, this.answer(), this.answer_len());
    const text = decode(bytes);
    bytes.fill(0);
    return text;
  }
}
