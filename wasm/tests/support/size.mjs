// What a page loads of an entry, compressed as servers compress it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { folder, pkg } from "./package.mjs";

/** In bytes: `must` and `should` are the aim, `now` is what no change may pass while `must` is not reached. */
export const budget = JSON.parse(readFileSync(join(folder, "budget.json"), "utf8"));

/** The file of each entry that the budget names. */
export const ENTRIES = { "payspec/checkout": "checkout.js", payspec: "index.js" };

/** What stands for the module in an entry: the longest string literal of the file. */
const LITERAL = /"[A-Za-z0-9+/=]{1000,}"/g;

const gzip = (bytes) => gzipSync(bytes, { level: 9 }).length;

/** What a page loads of an entry, in one file; `glue` is that file without the module, `module` would be a file of its own. */
export async function measure(entry) {
  const text = readFileSync(join(pkg, ENTRIES[entry]), "utf8");
  const literals = text.match(LITERAL) ?? [];
  assert.equal(literals.length, 1, `${entry} holds one module`);
  const [shipped, glue] = [text, text.replace(LITERAL, '""')].map(gzip);
  return { shipped, glue, module: gzip(await moduleOf(entry)) };
}

/** The module of an entry, as the entry itself starts it. */
async function moduleOf(entry) {
  let bytes;
  const original = WebAssembly.Module;
  WebAssembly.Module = class extends original {
    constructor(source) {
      super(source);
      bytes = source;
    }
  };
  try {
    const { Engine } = await import(join(pkg, ENTRIES[entry]));
    new Engine().free();
  } finally {
    WebAssembly.Module = original;
  }
  assert.ok(bytes?.length > 0, `${entry} starts a module`);
  return bytes;
}
