// The module as a file of its own: fetched, or handed over.

import load, { Door, initSync as start } from "#glue";
import { connect } from "./door.js";

/** Starts the module of `source`: an address, an answer, bytes or a compiled module. */
export async function fetched(source) {
  const exports = await load({ module_or_path: source });
  connect(() => ({ exports, Door }));
}

/** The same without a wait, where bytes or a compiled module are at hand. */
export function initSync(module) {
  const exports = start({ module });
  connect(() => ({ exports, Door }));
}
