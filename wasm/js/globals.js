// Globals of the platform. They are looked up at the first use, so that a module can be imported where they do not exist,
// such as in the jsdom of Jest.

import { PayspecError } from "./error.js";

/** Returns a global, or throws an error with its name and the path of what needs it. */
export function global(name, path = "/engine") {
  const value = globalThis[name];
  if (!value) throw new PayspecError("argument", path, `expected the global ${name}`);
  return value;
}
