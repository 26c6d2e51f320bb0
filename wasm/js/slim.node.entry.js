// `payspec/slim` in Node.js, whose fetch does not read files.

import { readFile } from "node:fs/promises";
import { load } from "./separate.js";

export { Engine, PayspecError, version } from "./engine.js";
export { initSync } from "./separate.js";

export default function init(source = new URL("./payspec.wasm", import.meta.url)) {
  // A string of import.meta.resolve, or a URL object.
  const local = /^file:/.test(typeof source === "string" || source instanceof URL ? source : "");
  return load(() => (local ? readFile(new URL(source)) : source));
}
