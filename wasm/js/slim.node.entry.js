// `payspec/slim` in Node.js, whose fetch takes no file.

import { readFile } from "node:fs/promises";
import { fetched } from "./separate.js";

export { Engine, PayspecError, version } from "./engine.js";
export { initSync } from "./separate.js";

export default async function init(source = new URL("./payspec.wasm", import.meta.url)) {
  const local = source instanceof URL && source.protocol === "file:";
  return fetched(local ? await readFile(source) : source);
}
