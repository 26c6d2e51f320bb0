// Tests that the full entries need no global of the platform when they are imported, only for the first engine.

import assert from "node:assert/strict";
import { test } from "node:test";

import { imported, wasm } from "./support/package.mjs";

const NAMES = ["TextDecoder", "TextEncoder", "WebAssembly"];

/** Calls a function while a global does not exist. */
async function without(name, call) {
  const value = globalThis[name];
  delete globalThis[name];
  try {
    return await call();
  } finally {
    globalThis[name] = value;
  }
}

for (const file of ["index.js", "slim.js"]) {
  test(`${file}: is imported without globals, and the first engine names one that is missing`, async () => {
    const entry = await NAMES.reduce((load, name) => () => without(name, load), () => imported(file))();
    for (const name of NAMES) {
      const start = () => without(name, () => new entry.Engine());
      await assert.rejects(start, { name: "PayspecError", code: "argument", path: "/engine", expected: `expected the global ${name}` });
    }
    entry.initSync?.(wasm());
    new entry.Engine().free();
  });
}
