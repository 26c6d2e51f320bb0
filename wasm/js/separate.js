// The module as a separate file: fetched, or supplied by the caller.

import { PayspecError } from "./error.js";
import { setLoader } from "./instance.js";

let compiled;
let loading;

/** V8 does not accept a DataView. */
const bytes = (source) =>
  ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : source;

/** Returns true for an instance of a global class, which may not exist. */
const isA = (value, name) => typeof globalThis[name] === "function" && value instanceof globalThis[name];

/** Uses a compiled module for all engines, unless it belongs to another package. */
function use(module) {
  if (!WebAssembly.Module.exports(module).some(({ name }) => name === "engine_validate_request")) {
    throw new PayspecError("value", "/module", "expected the payspec.wasm of this package");
  }
  compiled = module;
}

setLoader(() => {
  if (!compiled) throw new PayspecError("argument", "/engine", "await init() first");
  return compiled;
});

/** Compiles a module. The source is an address, a request, a response, bytes, a module, or the promise of one of them. */
async function compile(source) {
  let from = await source;
  if (typeof from === "string" || isA(from, "URL") || isA(from, "Request")) from = await fetch(from);
  if (from instanceof WebAssembly.Module) return from;
  if (!isA(from, "Response")) return WebAssembly.compile(bytes(from));
  if (!from.ok) throw new PayspecError("value", "/module", `expected payspec.wasm, found status ${from.status}`);
  // Servers may not know the content type, which compileStreaming requires.
  const isKnown = from.headers.get("Content-Type") === "application/wasm";
  if (WebAssembly.compileStreaming && isKnown) return WebAssembly.compileStreaming(from);
  return WebAssembly.compile(await from.arrayBuffer());
}

/**
 * Loads the module that `source` returns. A second call during the first one waits for it, and one after it has no effect:
 * there is one module for all engines.
 */
export async function load(source) {
  if (compiled) return;
  loading ??= (async () => compile(await source()))();
  try {
    use(await loading);
  } finally {
    loading = undefined;
  }
}

/** The same without waiting, from bytes or a compiled module. */
export function initSync(module) {
  if (loading) throw new PayspecError("argument", "/engine", "await the running init()");
  if (compiled) return;
  use(module instanceof WebAssembly.Module ? module : new WebAssembly.Module(bytes(module)));
}
