// The module as a file of its own: fetched, or handed over.

import load, { Door, initSync as start } from "#glue";
import { connect } from "./door.js";
import { PayspecError } from "./error.js";

let loading;

/** V8 takes no DataView. */
const bytes = (source) =>
  ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : source;

/**
 * Starts the module of `source`: an address, an answer, bytes or a compiled module. A second call while the first one
 * loads waits for the same: two instances would mean engines that are half in each.
 */
export async function fetched(source) {
  loading ??= load({ module_or_path: bytes(source) });
  try {
    const exports = await loading;
    connect(() => ({ exports, Door }));
  } finally {
    loading = undefined;
  }
}

/** The same without a wait, where bytes or a compiled module are at hand. */
export function initSync(module) {
  if (loading) throw new PayspecError("null", "/engine", "await the init() that is under way");
  const exports = start({ module: bytes(module) });
  connect(() => ({ exports, Door }));
}
