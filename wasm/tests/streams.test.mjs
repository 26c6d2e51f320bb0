// Tests the streams in which `payspec` contains its module.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { unpack } from "../js/streams.js";
import { pack } from "../streams.mjs";
import { pkg, wasm } from "./support/package.mjs";

/** A module with data and one function of these instructions. */
function moduleOf(code, locals = [0]) {
  const body = [...locals, ...code, 0x0b];
  const section = (id, ...content) => [id, content.length, ...content];
  return Buffer.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, 0, 0),
    ...section(3, 1, 0),
    ...section(5, 1, 0, 17),
    ...section(10, 1, body.length, ...body),
    // The addresses 1024 and 1028 and two other words, at 1024.
    ...section(11, 1, 0, 0x41, 0x80, 8, 0x0b, 14, 0, 4, 0, 0, 0xff, 0xff, 0xff, 0xff, 4, 4, 0, 0, 0x7f, 0),
  ]);
}

/** Each number as `i32.const` and `drop`. */
const constants = (...numbers) =>
  numbers.flatMap((number) => {
    const bytes = [0x41];
    for (; number < -64 || number > 63; number >>= 7) bytes.push((number & 127) | 128);
    return [...bytes, number & 127, 0x1a];
  });

const CASES = {
  nothing: moduleOf([]),
  "numbers of each length": moduleOf(constants(0, -1, 55, 56, -57, 63, -65, 951, 952, -953, 2 ** 31 - 1, -(2 ** 31), 123456789)),
  "addresses and their neighbours": moduleOf(constants(1023, 1024, 1025, 1024 + 127, 1024 + 2 ** 14, 1023 + 2 ** 21, 1024 + 2 ** 21)),
  "64-bit numbers": moduleOf([0x42, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x1a, 0x42, 0x7f, 0x1a]),
  "locals that are used in different order": moduleOf([2, 0, 1, 2, 0].flatMap((local) => [0x20, local, 0x1a]), [1, 3, 0x7f]),
  "blocks in blocks": moduleOf([0x02, 0x40, 0x03, 0x40, 0x0c, 1, 0x0b, 0x0b]),
  "a table of branches": moduleOf([0x02, 0x40, 0x41, 3, 0x0e, 2, 0, 0, 0, 0x0b]),
  memory: moduleOf([0x41, 0, 0x41, 7, 0x36, 0, 0x90, 8, 0x3f, 0, 0x1a, 0x41, 0, 0x41, 0, 0x41, 0, 0xfc, 10, 0, 0]),
  vectors: moduleOf([0xfd, 12, ...Array(16).keys(), 0x1a, 0x41, 0, 0xfd, 9, 2, 8, 0xfd, 0x1b, 3, 0x1a]),
};

for (const [name, module] of Object.entries(CASES)) {
  test(`streams: ${name}`, () => {
    assert.ok(WebAssembly.validate(module), "a module");
    assert.deepEqual(Buffer.from(unpack(pack(module))), module);
  });
}

test("streams: the module of payspec is the file payspec.wasm", async () => {
  const module = wasm();
  assert.ok(module.equals(unpack(pack(module))));
  const file = readFileSync(join(pkg, "index.js"), "utf8");
  const literal = /\nvar \$m=(".*");\n$/su.exec(file)[1];
  assert.ok(module.equals(unpack(Function(`return ${literal}`)())));
});

test("streams: instructions that are not in the grammar", () => {
  // An alignment, the index of another memory, and an index that would end the function.
  for (const code of [[0x41, 0, 0x28, 2, 0, 0x1a], [0x3f, 1], [0x25, 0x0b, 0x1a]]) {
    assert.throws(() => pack(moduleOf(code)), { name: "AssertionError" });
  }
});
