// Runs every shared vector through every entry of the package: the bytes are the same as in all other bindings.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { browse, open, skip } from "./support/browser.mjs";
import { CARD, CHECKOUT, folder, imported, required, wasm } from "./support/package.mjs";
import { PAGES, serveVectors } from "./support/vector_pages.mjs";
import { checkResult, countOf, countOfAll, files } from "./support/vector_results.mjs";
import { runBatches, runVectors, WITH_BODY, withEngine } from "./support/vectors.mjs";

const ENTRIES = [
  { name: "payspec, ESM", load: () => imported("index.js"), forms: ["json", "bytes", "object"] },
  { name: "payspec, CommonJS", load: () => required("index.cjs"), forms: ["json", "object"] },
  { name: "payspec/slim, ESM", load: () => started(imported("slim.node.js")), forms: ["json", "object"] },
  { name: "payspec/slim, CommonJS", load: () => started(required("slim.node.cjs")), forms: ["json"] },
  { name: "payspec/slim as bundlers see it, initSync", load: async () => {
    const entry = await imported("slim.js");
    entry.initSync(wasm());
    return entry;
  }, forms: ["json"] },
  { name: "payspec/checkout, ESM", load: () => imported("checkout.js"), forms: ["json", "bytes", "object"], operations: CHECKOUT },
  { name: "payspec/checkout, CommonJS", load: () => required("checkout.cjs"), forms: ["json", "object"], operations: CHECKOUT },
  { name: "payspec/card, ESM", load: async () => withEngine(await imported("card.js")), forms: ["json", "bytes"], operations: CARD },
  { name: "payspec/card, CommonJS", load: () => withEngine(required("card.cjs")), forms: ["json", "bytes"], operations: CARD },
];

/** The number of vectors that a batch can run: with a body, not too many inputs, and a policy that is JSON. */
const inBatches = countOfAll(
  files
    .filter(({ operation }) => WITH_BODY.includes(operation))
    .map(({ vectors }) => ({ vectors: vectors.filter(({ inputs }) => inputs.length > 0 && inputs.length < 3 && inputs[0] !== null) })),
);

async function started(loading) {
  const entry = await loading;
  assert.throws(() => new entry.Engine(), { name: "PayspecError", code: "argument" });
  await entry.default();
  return entry;
}

for (const { name, load, forms, operations } of ENTRIES) {
  test(`vectors: ${name}`, async () => {
    const entry = await load();
    const expected = operations ? countOf(operations) : countOfAll(files);
    for (const form of forms) {
      const result = runVectors(entry, files, form, operations);
      checkResult(`${name}, ${form}`, result, expected);
      if (form === "object") assert.ok(result.objects > expected / 2, `${result.objects} vectors with objects`);
    }
    if (operations) return;
    const result = runBatches(entry, files);
    assert.ok(result.batches > 100, `${result.batches} batches`);
    // Without those whose policy is not JSON.
    assert.ok(inBatches - result.passed < 10, `${result.passed} of ${inBatches}`);
    checkResult(`${name}, in batches`, result, result.passed);
  });
}

for (const [type, method] of [["TextEncoder", "encodeInto"], ["String", "isWellFormed"]]) {
  test(`vectors: without ${type}.prototype.${method}`, async () => {
    const program = join(folder, "tests/support/variant.mjs");
    const { stdout } = await promisify(execFile)(process.execPath, [program, type, method], { maxBuffer: 2 ** 26 });
    const results = JSON.parse(stdout);
    assert.equal(results.length, 2);
    for (const result of results) checkResult(`without ${method}`, result);
  });
}

test("vectors: in Chromium, on a plain page under a strict policy", { skip }, () =>
  browse(async (browser) => {
    const server = await serveVectors();
    try {
      for (const name of PAGES) {
        const { complaints } = await open(browser, server.addressOf(name));
        await server.check(name, "Chromium");
        assert.deepEqual(complaints, [], name);
      }
    } finally {
      await server.close();
    }
  }),
);
