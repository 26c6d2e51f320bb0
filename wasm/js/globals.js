// Globals of the platform. They are looked up at the first use, so that a module can be imported where they do not exist.

import { PayspecError } from "./error.js";

/** Returns a global, or throws an error with its name and the path of what needs it. */
export function global(name, path = "/engine") {
  // Jest with jsdom omits the encoder and the decoder of Node.js from its globals.
  const value = globalThis[name] ?? globalThis.process?.getBuiltinModule?.("util")?.[name];
  if (!value) throw new PayspecError("argument", path, `expected the global ${name}`);
  return value;
}
