// The instance of the module that new engines use. wasm-bindgen has one at a time, and replaces it on request.

import { panic, PayspecError } from "./error.js";
import { global } from "./globals.js";
import { setNames } from "./object_tape.js";

/** Returns the glue of wasm-bindgen. It is evaluated here and not when the package is imported, since it needs these globals. */
function glue() {
  for (const name of ["TextDecoder", "TextEncoder", "WebAssembly"]) global(name);
  return require("./glue.js");
}

/** Returns the compiled module. */
let compiledModule;
let current;

/** Sets the function that returns the compiled module. */
export function setLoader(loader) {
  compiledModule = loader;
}

/** Returns the instance for a new engine: another one after a call that did not end. */
export function currentInstance() {
  if (!current || current.isLost) current = startInstance();
  return current;
}

function startInstance() {
  const { initSync, __wbg_reset_state: startAgain, Engine } = glue();
  if (current) startAgain();
  // A second call only returns the exports.
  const { memory } = initSync({ module: compiledModule() });
  setNames(Engine.names().split(" "));
  return new Instance(Engine, memory);
}

/** An instance of the module, with the memory of all its engines. */
class Instance {
  /**
   * Stays true after a call that did not end: a trap, or an overflow of the stack. The memory may then be
   * inconsistent, so no further call is made.
   */
  isLost = false;
  #memory;
  #bytes = new Uint8Array(0);

  constructor(Engine, memory) {
    this.Engine = Engine;
    this.#memory = memory;
  }

  /** Returns the result of a call. An error of this package ends it too. */
  run(call) {
    if (this.isLost) throw panic();
    this.isLost = true;
    try {
      const result = call();
      this.isLost = false;
      return result;
    } catch (error) {
      if (error instanceof PayspecError) {
        this.isLost = false;
        throw error;
      }
      // The finalizers of wasm-bindgen would call the lost instance. They run after this task, and ignore its engines if
      // another instance has replaced it.
      Promise.resolve().then(currentInstance).catch(() => {});
      // A trap is a bug of the library.
      throw error instanceof WebAssembly.RuntimeError ? panic() : error;
    }
  }

  /** Returns all of the memory. Growth detaches the previous view, which is then empty. */
  bytes() {
    if (this.#bytes.byteLength === 0) this.#bytes = new Uint8Array(this.#memory.buffer);
    return this.#bytes;
  }
}
