// The size budget: no entry grows past it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { pkg } from "./support/package.mjs";
import { budget, ENTRIES, measure } from "./support/size.mjs";

for (const entry of Object.keys(ENTRIES)) {
  test(`size: ${entry}`, async () => {
    const { glue, shipped, module } = await measure(entry);
    const { must, should, now } = budget[entry];
    const word = shipped > must ? "NOT REACHED" : shipped > should ? "reached" : "reached, stretch too";
    console.log(`   ${entry}: as shipped, in one file, ${shipped} bytes of ${must} (stretch ${should}), gzip -9: ${word}. Without the module ${glue}; the module as a file of its own ${module}`);
    const bound = Math.max(must, now);
    assert.ok(shipped <= bound, `${shipped} bytes, ${shipped - bound} more than the budget: node sizes.mjs tells where they go`);
  });
}

test("size: no path of the machine that built it", () => {
  const module = readFileSync(join(pkg, "payspec.wasm"), "latin1");
  const path = /registry\/src|\.cargo|\.rustup|\/(?:home|root|Users)\//.exec(module);
  assert.equal(path?.[0], undefined);
});
