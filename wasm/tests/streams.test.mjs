// Tests the streams in which `payspec` contains its module.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { checksum, unpack } from "../js/streams.js";
import { pack } from "../streams.mjs";
import { pkg, wasm } from "./support/package.mjs";

/** The addresses 1024 and 1028 and two other words, at 1024. */
const DATA = [0, 4, 0, 0, 0xff, 0xff, 0xff, 0xff, 4, 4, 0, 0, 0x7f, 0];
/** Slices of lengths 2, 3, and 0, each after the one before, and two addresses without a length between them. */
const SLICES = [[0, 4], [2, 0], [2, 4], [3, 0], [5, 4], [0, 0], [5, 4], [5, 4], [0xff, 0xff]].flatMap((low) => [...low, 0, 0]);

/** Returns a module after it was packed. */
function repacked(module) {
  const text = pack(module);
  return Buffer.from(unpack(text, checksum(text)));
}

/** A module with data, a table, a global, and one function of these instructions. */
function moduleOf(code, locals = [0], data = DATA) {
  const body = [...locals, ...code, 0x0b];
  const section = (id, ...content) => [id, content.length, ...content];
  return Buffer.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, 0, 0),
    ...section(3, 1, 0),
    ...section(4, 1, 0x70, 0, 1),
    ...section(5, 1, 0, 17),
    ...section(6, 1, 0x7f, 1, 0x41, 0, 0x0b),
    ...section(10, 1, body.length, ...body),
    ...section(11, 1, 0, 0x41, 0x80, 8, 0x0b, data.length, ...data),
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
  "calls, direct and by a table": moduleOf([0x10, 0, 0x41, 0, 0x11, 0, 0, 0x10, 0]),
  "a global": moduleOf([0x23, 0, 0x24, 0]),
  "memory of all operations": moduleOf([0x41, 0, 0x28, 0, 4, 0x1a, 0x41, 0, 0x42, 1, 0x37, 0, 0x88, 1, 0x41, 0, 0x41, 0, 0x41, 0, 0xfc, 11, 0]),
  "slices that follow each other": moduleOf([], [0], SLICES),
  vectors: moduleOf([0xfd, 12, ...Array(16).keys(), 0x1a, 0x41, 0, 0xfd, 9, 2, 8, 0xfd, 0x1b, 3, 0x1a]),
};

for (const [name, module] of Object.entries(CASES)) {
  test(`streams: ${name}`, () => {
    assert.ok(WebAssembly.validate(module), "a module");
    assert.deepEqual(repacked(module), module);
  });
}

const file = readFileSync(join(pkg, "index.js"), "utf8");
const text = Function(`return ${/\nvar \$m=(".*");\n$/su.exec(file)[1]}`)();

test("streams: the module of payspec is the file payspec.wasm", () => {
  const module = wasm();
  assert.ok(module.equals(repacked(module)));
  assert.ok(module.equals(unpack(text, checksum(text))));
  assert.ok(file.includes(`$m,${checksum(text)})`), "the checksum in the file");
});

const DAMAGES = {
  "decoded as windows-1252": (text) => new TextDecoder("windows-1252").decode(new TextEncoder().encode(text)),
  "with the characters that a document of HTML replaces": (text) => text.replaceAll("\0", "\ufffd").replaceAll("\r", "\n"),
  "with another character": (text) => `${text.slice(0, 1000)}\u0001${text.slice(1001)}`,
  "without its end": (text) => text.slice(0, -1),
  "that is empty": () => "",
};

for (const [name, damage] of Object.entries(DAMAGES)) {
  test(`streams: a text ${name} is an error`, () => {
    assert.throws(() => unpack(damage(text), checksum(text)), {
      name: "PayspecError",
      code: "value",
      path: "/module",
      expected: "expected a script that is complete and decoded as UTF-8",
    });
  });
}
