// The module as a file of its own: fetched, or handed over.

import load, { Door, initSync as start } from "#glue";
import { connect } from "./door.js";
import { PayspecError } from "./error.js";

let loading;

/** V8 takes no DataView. */
const bytes = (source) =>
  ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : source;

/** A module of another package has other exports, and the glue keeps what it was given first. */
function connected(exports) {
  if (!exports.payspec_answer) throw new PayspecError("value", "/module", "the payspec.wasm of this package");
  connect(() => ({ exports, Door }));
}

/**
 * Starts the module that `source` gives: an address, an answer, bytes or a compiled module. A second call while the first
 * one loads waits for the same: two instances would mean engines that are half in each.
 */
export async function fetched(source) {
  loading ??= opened(source);
  try {
    connected(await loading);
  } finally {
    loading = undefined;
  }
}

const opened = async (source) => load({ module_or_path: bytes(await source()) });

/** The same without a wait, where bytes or a compiled module are at hand. */
export function initSync(module) {
  if (loading) throw new PayspecError("argument", "/engine", "await the init() that is under way");
  connected(start({ module: bytes(module) }));
}
