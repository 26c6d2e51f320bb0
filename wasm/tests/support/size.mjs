// The size of an entry as a page loads it, compressed as by servers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import { folder, pkg } from "./package.mjs";

/** In bytes after compression: the limit `must`, and the stretch goal `should`. */
export const budget = JSON.parse(readFileSync(join(folder, "budget.json"), "utf8"));

/** The file of each entry that the budget names. */
export const ENTRIES = {
  "payspec/checkout": "checkout.js",
  "payspec/card": "card.js",
  "payspec/messages/en": "messages/en.js",
  "payspec/messages/ru": "messages/ru.js",
  payspec: "index.js",
};

/** Entries without a module. */
const SCRIPTS = ["payspec/card", "payspec/messages/en", "payspec/messages/ru"];

/** The module in an entry: the only long string literal of the file. */
export const LITERAL = /"(?:[^"\\\n\r]|\\.){8000,}"/g;

/** The sizes after compression by a server. */
const ENCODINGS = {
  gzip: (bytes) => gzipSync(bytes, { level: 9 }).length,
  brotli: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length,
};

/** The modules by entry: an entry compiles its module only once. */
const modules = {};

/**
 * Returns the sizes of an entry in an encoding: in one file, `glue` without the module, and `module` as a separate file, 0 if
 * the entry has none.
 */
export async function measure(entry, encoding) {
  const size = ENCODINGS[encoding];
  const text = readFileSync(join(pkg, ENTRIES[entry]), "utf8");
  const literals = text.match(LITERAL) ?? [];
  if (SCRIPTS.includes(entry)) {
    assert.equal(literals.length, 0, `${entry} contains no module`);
    return { shipped: size(text), glue: size(text), module: 0 };
  }
  assert.equal(literals.length, 1, `${entry} contains one module`);
  const [shipped, glue] = [text, text.replace(LITERAL, '""')].map(size);
  return { shipped, glue, module: size(await (modules[entry] ??= moduleOf(entry))) };
}

/** Returns the module of an entry, decoded as by the entry itself. */
async function moduleOf(entry) {
  let bytes;
  const original = WebAssembly.Module;
  WebAssembly.Module = class extends original {
    constructor(source) {
      super(source);
      bytes = source;
    }
  };
  try {
    const { Engine } = await import(join(pkg, ENTRIES[entry]));
    new Engine().free();
  } finally {
    WebAssembly.Module = original;
  }
  assert.ok(bytes?.length > 0, `${entry} starts a module`);
  return bytes;
}
