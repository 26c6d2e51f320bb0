// `payspec/slim`: all operations, after `await init()`.

import { PayspecError } from "./error.js";
import { load } from "./separate.js";

export { Engine, PayspecError, version } from "./engine.js";
export { initSync } from "./separate.js";

export default function init(source) {
  return load(() => source ?? besideThis());
}

/** Returns the address of the module next to this file. */
function besideThis() {
  try {
    // Bundlers recognize this form of an address, and include the file.
    return new URL("./payspec.wasm", import.meta.url);
  } catch {
    throw new PayspecError("argument", "/module", "expected the address of payspec.wasm, since this script has none");
  }
}
