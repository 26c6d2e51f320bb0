// Runs every shared vector through every entry of the package: the bytes are the same as in all other bindings.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";

import { browse, open, serve, skip } from "./support/browser.mjs";
import { CARD, CHECKOUT, folder, imported, loadVectors, pkg, required, wasm } from "./support/package.mjs";
import { runBatches, runVectors, WITH_BODY, withEngine } from "./support/vectors.mjs";

const files = loadVectors();
const all = count(files);
let passed = 0;
let failed = 0;

after(() => console.log(`vectors: ${passed} passed, ${failed} failed`));

function count(files) {
  return files.reduce((sum, { vectors }) => sum + vectors.length, 0);
}

/** The number of vectors of some operations. */
const countOf = (operations) => count(files.filter(({ operation }) => operations.includes(operation)));

/** Checks that every vector ran and passed. */
function checkResult(name, result, expected = all) {
  passed += result.passed;
  failed += result.failures.length;
  assert.deepEqual(result.failures.slice(0, 10), [], `${name}: ${result.failures.length} failed`);
  assert.equal(result.passed, expected, `${name}: not every vector ran`);
  assert.ok(expected > 0, "there are no vectors");
}

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
const inBatches = count(
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
    const expected = operations ? countOf(operations) : all;
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
    const script = (file, init, forms, operations) => `
      import * as exported from "/pkg/${file}";
      import { runVectors, withEngine } from "/support/vectors.mjs";
      const entry = ${file === "card.js" ? "withEngine(exported)" : "exported"};
      ${init}
      const files = await (await fetch("/vectors.json")).json();
      globalThis.results = ${JSON.stringify(forms)}.map((form) => runVectors(entry, files, form, ${JSON.stringify(operations)}));
    `;
    const page = (name) => `<!doctype html><meta charset="utf-8"><title>payspec</title><script type="module" src="/${name}.js"></script>`;
    const server = await serve({
      "/pkg/": pkg,
      "/support/vectors.mjs": readFileSync(join(folder, "tests/support/vectors.mjs")),
      "/vectors.json": JSON.stringify(files),
      "/index.html": page("index"),
      "/index.js": script("index.js", "", ["json", "bytes", "object"]),
      "/slim.html": page("slim"),
      "/slim.js": script("slim.js", "await entry.default();", ["json", "object"]),
      "/checkout.html": page("checkout"),
      "/checkout.js": script("checkout.js", "", ["json", "object"], CHECKOUT),
      "/card.html": page("card"),
      "/card.js": script("card.js", "", ["json", "bytes"], CARD),
      "/favicon.ico": "",
    });
    try {
      for (const [name, expected, forms] of [["index", all, 3], ["slim", all, 2], ["checkout", countOf(CHECKOUT), 2], ["card", countOf(CARD), 2]]) {
        const { page, complaints } = await open(browser, `${server.address}/${name}.html`);
        await page.waitForFunction(() => globalThis.results, undefined, { timeout: 60_000 }).catch(() => {});
        const results = await page.evaluate(() => globalThis.results);
        assert.deepEqual(complaints, [], name);
        assert.equal(results?.length, forms, name);
        for (const result of results) checkResult(`${name} in Chromium`, result, expected);
      }
    } finally {
      await server.close();
    }
  }),
);
