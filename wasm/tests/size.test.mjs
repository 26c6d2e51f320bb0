// Checks the size budget: no entry exceeds it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { parts, readable } from "../sizes.mjs";
import { pkg } from "./support/package.mjs";
import { ENTRIES, budget, measure } from "./support/size.mjs";

const budgets = Object.entries(budget).flatMap(([entry, encodings]) => Object.entries(encodings).map(([encoding, bounds]) => [entry, encoding, bounds]));
for (const [entry, encoding, { must, should }] of budgets) {
  test(`size: ${entry}, ${encoding}`, async () => {
    const { glue, shipped, module } = await measure(entry, encoding);
    const word = shipped > must ? "NOT MET" : shipped > should ? "met" : "met, stretch goal too";
    const parts = module === 0 ? "" : `. Without the module ${glue}; the module as a separate file ${module}`;
    console.log(`   ${entry}: as shipped, in one file, ${shipped} bytes of ${must} (stretch ${should}), ${encoding}: ${word}${parts}`);
    assert.ok(shipped <= must, `${shipped} bytes, ${shipped - must} more than the budget: node sizes.mjs shows the sizes of the parts`);
  });
}

test("size: every entry has a budget, in gzip and brotli", () => {
  assert.deepEqual(Object.keys(budget), Object.keys(ENTRIES));
  for (const encodings of Object.values(budget)) assert.deepEqual(Object.keys(encodings).sort(), ["brotli", "gzip"]);
  for (const [entry, encoding, bounds] of budgets) assert.deepEqual(Object.keys(bounds), ["must", "should"], `${entry}, ${encoding}`);
});

test("size: functions are named by their path and added up by part", () => {
  assert.equal(readable("_RNvNtNtCs6bTTydSAHzV_7payspec7request5check5check"), "payspec::request::check::check");
  assert.equal(readable("_RNvMs_NtNtCs6bTTydSAHzV_7payspec4read5lexerNtB4_5Lexer4name"), "payspec::read::lexer");
  assert.equal(readable("_RNCNvNtNtCs6bTTydSAHzV_7payspec7request6strays4hash0B7_"), "payspec::request::strays::hash");
  assert.equal(readable("payspec[7b34b6519b71e868]::uri::inspect"), "payspec::uri::inspect");
  assert.equal(readable("<payspec[7b34b6519b71e868]::engine::Engine>::create_payment"), "payspec::engine::Engine::create_payment");
  assert.equal(readable("<i64 as core[c0bf69005773cab5]::fmt>"), "<i64 as core[c0bf69005773cab5]::fmt>");
  const functions = [["payspec_new", 1], ["_RNvNtC7payspec4read4some", 2], ["_RNvNtC7payspec4read5other", 3], ["_RNvNtC4core3str4find", 4]];
  assert.deepEqual(parts(functions.map(([name, size]) => ({ name, size }))), [
    { name: "payspec::read", size: 5 },
    { name: "core", size: 4 },
    { name: "payspec_new", size: 1 },
  ]);
});

test("size: the module contains no path of the build machine", () => {
  const module = readFileSync(join(pkg, "payspec.wasm"), "latin1");
  const path = /registry\/src|\.cargo|\.rustup|\/(?:home|root|Users)\//.exec(module);
  assert.equal(path?.[0], undefined);
});
