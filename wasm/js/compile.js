// Failures to compile the module.

import { PayspecError } from "./error.js";

/** The smallest module. */
const EMPTY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

const EXPECTED =
  "expected WebAssembly to be allowed, in a page by script-src 'wasm-unsafe-eval'; without it, initSync of payspec/slim takes an imported payspec.wasm";

/**
 * Returns the error for a failure to compile. If not even the smallest module compiles, the platform forbids it. Browsers then advise
 * 'unsafe-eval', which allows more than is needed.
 */
export function explained(cause) {
  try {
    new WebAssembly.Module(EMPTY);
    return cause;
  } catch {
    const error = new PayspecError("argument", "/engine", EXPECTED);
    error.cause = cause;
    return error;
  }
}
