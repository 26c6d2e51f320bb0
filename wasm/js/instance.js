// Starts an instance of the full module with glue of wasm-bindgen.

import { createGlue } from "#glue";

/** Returns the exports of a new instance. The glue's exports replace those of the same names. */
export function instantiate(module) {
  const { initSync, policy } = createGlue();
  return { ...initSync({ module }), policy };
}
