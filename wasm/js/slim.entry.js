// `payspec/slim`: all operations, after `await init()`.

import { fetched } from "./separate.js";

export { Engine, PayspecError, version } from "./engine.js";
export { initSync } from "./separate.js";

// Bundlers know this form of an address, and bring the file along.
export default function init(source = new URL("./payspec.wasm", import.meta.url)) {
  return fetched(() => source);
}
