// `payspec/slim` in Node.js, whose fetch takes no file.

import { readFile } from "node:fs/promises";
import { fetched } from "./separate.js";

export { Engine, PayspecError, version } from "./engine.js";
export { initSync } from "./separate.js";

export default function init(source = new URL("./payspec.wasm", import.meta.url)) {
  // As import.meta.resolve has it, or as an object.
  const local = /^file:/.test(typeof source === "string" || source instanceof URL ? source : "");
  return fetched(() => (local ? readFile(new URL(source)) : source));
}
