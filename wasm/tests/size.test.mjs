// The size budget: what a page loads, compressed as servers compress it. budget.json holds the bounds, in bytes: `must`
// and `should` are the aim, `now` is what no change may pass while `must` is not reached.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { folder, pkg } from "./support/package.mjs";

const budget = JSON.parse(readFileSync(join(folder, "budget.json"), "utf8"));
const gzip = (bytes) => gzipSync(bytes, { level: 9 }).length;

/** What stands for the module in an entry that holds it: the longest string literal of the file. */
const LITERAL = /"[^"\\]{1000,}"|'[^'\\]{1000,}'|`[^`\\]{1000,}`/g;

/** WebAssembly and glue of an entry, compressed: as files of their own, and the one file as it is shipped. */
function measure(file, started) {
  const text = readFileSync(join(pkg, file), "utf8");
  const literals = text.match(LITERAL) ?? [];
  assert.equal(literals.length, 1, `${file} holds one module`);
  return { wasm: gzip(started), glue: gzip(text.replace(LITERAL, '""')), shipped: gzip(text) };
}

/** The module of an entry, as the entry itself starts it. */
async function moduleOf(file) {
  let bytes;
  const original = WebAssembly.Module;
  WebAssembly.Module = class extends original {
    constructor(source) {
      super(source);
      bytes = source;
    }
  };
  try {
    const { Engine } = await import(join(pkg, file));
    new Engine().free();
  } finally {
    WebAssembly.Module = original;
  }
  assert.ok(bytes?.length > 0, `${file} starts a module`);
  return bytes;
}

for (const [entry, file] of [["payspec/checkout", "checkout.js"], ["payspec", "index.js"]]) {
  test(`size: ${entry}`, async () => {
    const { wasm, glue, shipped } = measure(file, await moduleOf(file));
    const { must, should, now } = budget[entry];
    const sum = wasm + glue;
    const word = sum > must ? "NOT REACHED" : sum > should ? "reached" : "reached, stretch too";
    console.log(`   ${entry}: module ${wasm} + glue ${glue} = ${sum} bytes of ${must} (stretch ${should}), gzip -9: ${word}. As shipped, in one file: ${shipped}`);
    const bound = Math.max(must, now);
    assert.ok(sum <= bound, `${sum} bytes, ${sum - bound} more than the budget: node sizes.mjs tells where they go`);
    if (budget[entry].shipped !== undefined) assert.ok(shipped <= budget[entry].shipped, `${shipped} bytes in one file`);
  });
}
