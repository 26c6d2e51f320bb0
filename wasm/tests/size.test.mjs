// The size budget: no entry grows past it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { budget, ENTRIES, measure } from "./support/size.mjs";

for (const entry of Object.keys(ENTRIES)) {
  test(`size: ${entry}`, async () => {
    const { wasm, glue, shipped } = await measure(entry);
    const { must, should, now } = budget[entry];
    const sum = wasm + glue;
    const word = sum > must ? "NOT REACHED" : sum > should ? "reached" : "reached, stretch too";
    console.log(`   ${entry}: module ${wasm} + glue ${glue} = ${sum} bytes of ${must} (stretch ${should}), gzip -9: ${word}. As shipped, in one file: ${shipped}`);
    const bound = Math.max(must, now);
    assert.ok(sum <= bound, `${sum} bytes, ${sum - bound} more than the budget: node sizes.mjs tells where they go`);
    if (budget[entry].shipped !== undefined) assert.ok(shipped <= budget[entry].shipped, `${shipped} bytes in one file`);
  });
}
