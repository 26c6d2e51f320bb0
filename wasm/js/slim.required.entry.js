// `payspec/slim` for `require()` in a platform other than Node.js, such as Jest with jsdom, which may run in Node.js.

import { PayspecError } from "./error.js";
import { load } from "./separate.js";

export { Engine, PayspecError, version } from "./engine.js";
export { initSync } from "./separate.js";

export default function init(source) {
  return load(() => source ?? besideThis());
}

/** Returns the bytes of the module next to this file. A bundle has no file system, and cannot include the file. */
function besideThis() {
  const files = globalThis.process?.getBuiltinModule?.("fs");
  if (!files) throw new PayspecError("argument", "/module", "expected the address of payspec.wasm, since this script has none");
  return files.readFileSync(`${__dirname}/payspec.wasm`);
}
