// `payspec/slim`: all operations, after `await init()`.

import { load } from "./separate.js";

export { Engine, PayspecError, version } from "./engine.js";
export { initSync } from "./separate.js";

// Bundlers recognize this form of an address, and include the file.
export default function init(source = new URL("./payspec.wasm", import.meta.url)) {
  return load(() => source);
}
