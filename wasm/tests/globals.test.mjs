// Tests that no entry needs a global of the platform when it is imported, only for the first engine.

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

for (const file of ["index.js", "slim.js", "checkout.js"]) {
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

for (const file of ["card.js", "messages/en.js", "messages/ru.js"]) {
  test(`${file}: is imported without globals`, () => NAMES.reduce((load, name) => () => without(name, load), () => imported(file))());
}

test("card.js: bytes need a decoder, and text does not", async () => {
  const { cardInfo } = await imported("card.js");
  await without("TextDecoder", () => {
    assert.equal(cardInfo("4111").scheme, "visa");
    assert.throws(() => cardInfo(Uint8Array.of(0x34)), { name: "PayspecError", code: "argument", path: "/digits", expected: "expected the global TextDecoder" });
  });
});
