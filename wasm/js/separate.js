// The module as a separate file: fetched, or supplied by the caller.

import { explained } from "./compile.js";
import { PayspecError } from "./error.js";
import { global } from "./globals.js";
import { setLoader } from "./instance.js";

/** The first bytes of every WebAssembly module: NUL, "asm". */
const MAGIC = [0, 0x61, 0x73, 0x6d];

let compiled;
let loading;

const invalid = (expected) => new PayspecError("value", "/module", expected);

const bytes = (source) =>
  ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);

/** Returns true for an instance of a global class, which may not exist. */
const isA = (value, name) => typeof globalThis[name] === "function" && value instanceof globalThis[name];

/** Uses a compiled module for all engines, unless it belongs to another package. */
function use(module) {
  if (!WebAssembly.Module.exports(module).some(({ name }) => name === "engine_validate_request")) {
    throw invalid("expected the payspec.wasm of this package");
  }
  compiled = module;
}

setLoader(() => {
  if (!compiled) throw new PayspecError("argument", "/engine", "await init() first");
  return compiled;
});

/** Returns the bytes of a module. Servers answer an unknown address with a page. */
function moduleBytes(source) {
  const found = bytes(source);
  if (MAGIC.every((byte, index) => found[index] === byte)) return found;
  const isHtml = found[0] === "<".charCodeAt();
  throw invalid(`expected payspec.wasm, found ${isHtml ? "HTML: pass the address of the file, or list payspec in optimizeDeps.exclude of Vite" : "other bytes"}`);
}

/** Compiles a module. The source is an address, a request, a response, bytes, a module, or the promise of one of them. */
async function compile(source) {
  const { Module, compile, compileStreaming } = global("WebAssembly", "/module");
  let from = await source;
  if (typeof from === "string" || isA(from, "URL") || isA(from, "Request")) from = await fetch(from);
  if (from instanceof Module) return from;
  let isStream = false;
  if (isA(from, "Response")) {
    if (!from.ok) throw invalid(`expected payspec.wasm, found status ${from.status}`);
    // Servers may not know the content type, which compileStreaming requires.
    isStream = compileStreaming && from.headers.get("Content-Type") === "application/wasm";
    if (!isStream) from = await from.arrayBuffer();
  }
  const input = isStream ? from : moduleBytes(from);
  try {
    return await (isStream ? compileStreaming(input) : compile(input));
  } catch (error) {
    throw explained(error);
  }
}

/** Compiles a module without waiting. */
function compileSync(source) {
  const { Module } = global("WebAssembly", "/module");
  if (source instanceof Module) return source;
  const input = moduleBytes(source);
  try {
    return new Module(input);
  } catch (error) {
    throw explained(error);
  }
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
  use(compileSync(module));
}
