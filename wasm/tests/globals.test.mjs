// Tests that no entry needs a global of the platform when it is imported, only for the first engine.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { imported, pkg, wasm } from "./support/package.mjs";

/** The globals that the first engine needs. */
const NAMES = ["TextDecoder", "TextEncoder", "WebAssembly"];
/** The globals that no import needs. */
const ALL = [...NAMES, "Buffer", "URL", "fetch"];

/** Calls a function while a global does not exist, nor the modules of Node.js, which have some of them too. */
async function without(name, call) {
  const [value, { process }] = [globalThis[name], globalThis];
  delete globalThis[name];
  globalThis.process = undefined;
  try {
    return await call();
  } finally {
    globalThis[name] = value;
    globalThis.process = process;
  }
}

for (const file of ["index.js", "slim.js", "checkout.js"]) {
  test(`${file}: is imported without globals, and the first engine names one that is missing`, async () => {
    const entry = await ALL.reduce((load, name) => () => without(name, load), () => imported(file))();
    for (const name of NAMES) {
      const start = () => without(name, () => new entry.Engine());
      await assert.rejects(start, { name: "PayspecError", code: "argument", path: "/engine", expected: `expected the global ${name}` });
    }
    entry.initSync?.(wasm());
    new entry.Engine().free();
  });

  test(`${file}: the first engine finds the encoder and the decoder of Node.js if they are no globals`, async () => {
    const entry = await import(`${pathToFileURL(join(pkg, file))}?hidden`);
    const { TextDecoder, TextEncoder } = globalThis;
    Object.assign(globalThis, { TextDecoder: undefined, TextEncoder: undefined });
    try {
      entry.initSync?.(wasm());
      assert.equal(new entry.Engine().validateRequest("{").violations[0].code, "json_syntax");
    } finally {
      Object.assign(globalThis, { TextDecoder, TextEncoder });
    }
  });
}

test("index.js: a platform whose modules are not those of Node.js is one without the global", async () => {
  const entry = await import(`${pathToFileURL(join(pkg, "index.js"))}?modules`);
  const { TextDecoder, process } = globalThis;
  Object.assign(globalThis, { TextDecoder: undefined, process: { getBuiltinModule: () => undefined } });
  try {
    assert.throws(() => new entry.Engine(), { name: "PayspecError", code: "argument", path: "/engine", expected: "expected the global TextDecoder" });
  } finally {
    Object.assign(globalThis, { TextDecoder, process });
  }
});

for (const file of ["card.js", "messages/en.js", "messages/ru.js"]) {
  test(`${file}: is imported without globals`, () => ALL.reduce((load, name) => () => without(name, load), () => imported(file))());
}

test("card.js: bytes need a decoder, and text does not", async () => {
  const { cardInfo } = await imported("card.js");
  await without("TextDecoder", () => {
    assert.equal(cardInfo("4111").scheme, "visa");
    assert.throws(() => cardInfo(Uint8Array.of(0x34)), { name: "PayspecError", code: "argument", path: "/digits", expected: "expected the global TextDecoder" });
  });
});
