// Compares the methods of the package and the exports of its module with the table of operations.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { CHECKOUT, allFiles, folder, imported, pkg, required, wasm } from "./support/package.mjs";
import { LITERAL } from "./support/size.mjs";
import { camel } from "./support/vectors.mjs";

/** Operations by the folders of their vectors. */
const OPERATIONS = readdirSync(join(folder, "../tests/vectors")).sort();

/** Methods that are not operations. */
const OTHERS = ["free", "isValidRequest", "policy", "batch", "batchJson"];
/** The ones that `payspec/checkout` has. */
const OTHERS_ON_PAGES = ["free", "isValidRequest"];

const ENTRIES = {
  "payspec (import)": () => imported("index.js"),
  "payspec (require)": () => required("index.cjs"),
  "payspec/slim (import)": () => imported("slim.js"),
  "payspec/slim (require)": () => required("slim.cjs"),
  "payspec/slim (import, Node.js)": () => imported("slim.node.js"),
  "payspec/slim (require, Node.js)": () => required("slim.node.cjs"),
  "payspec/checkout (import)": () => imported("checkout.js"),
  "payspec/checkout (require)": () => required("checkout.cjs"),
};

/** Entries without an engine. */
const SCRIPTS = {
  "payspec/card (import)": () => imported("card.js"),
  "payspec/card (require)": () => required("card.cjs"),
  "payspec/messages/en (import)": () => imported("messages/en.js"),
  "payspec/messages/en (require)": () => required("messages/en.cjs"),
  "payspec/messages/ru (import)": () => imported("messages/ru.js"),
  "payspec/messages/ru (require)": () => required("messages/ru.cjs"),
  "payspec/sandbox (import)": () => imported("sandbox.js"),
  "payspec/sandbox (require)": () => required("sandbox.cjs"),
  "payspec/sandbox (import, Node.js)": () => imported("sandbox.node.js"),
  "payspec/sandbox (require, Node.js)": () => required("sandbox.node.cjs"),
};

/** Returns the names of the methods of an engine. */
function methods({ Engine }) {
  const names = new Set();
  for (let type = Engine.prototype; type !== Object.prototype; type = Object.getPrototypeOf(type)) {
    for (const name of Reflect.ownKeys(type)) names.add(name === Symbol.dispose ? "Symbol.dispose" : String(name));
  }
  names.delete("constructor");
  return [...names].filter((name) => !name.startsWith("_")).sort();
}

test("has an object form and a JSON form of every operation, and no other method", async () => {
  const both = (operations) => operations.map(camel).flatMap((name) => [name, `${name}Json`]);
  assert.equal(OPERATIONS.length, 30);
  for (const [name, load] of Object.entries(ENTRIES)) {
    const small = name.startsWith("payspec/checkout");
    const expected = [...both(small ? CHECKOUT : OPERATIONS), ...(small ? OTHERS_ON_PAGES : OTHERS), "Symbol.dispose", "requestSchema"];
    assert.deepEqual(methods(await load()), expected.sort(), name);
  }
});

test("payspec/sandbox exports the same names for Node.js and for pages", async () => {
  for (const [name, load] of Object.entries(SCRIPTS).filter(([name]) => name.startsWith("payspec/sandbox"))) {
    const { createSandbox, SandboxError } = await load();
    assert.deepEqual([typeof createSandbox, new SandboxError("text").name], ["function", "SandboxError"], name);
    if (!name.includes("Node.js")) await assert.rejects(createSandbox(), { name: "SandboxError", message: /import it in Node\.js/ });
  }
});

test("exports every operation from the module", async () => {
  const exports = WebAssembly.Module.exports(await WebAssembly.compile(wasm()));
  // wasm-bindgen exports a method with the name of its class. The other exports are only for the JavaScript of the package.
  const operations = exports.map(({ name }) => name.replace(/^engine_/, "")).filter((name) => OPERATIONS.includes(name));
  assert.deepEqual(operations.sort(), OPERATIONS);
});

test("refers to existing files in package.json, types first", () => {
  const manifest = JSON.parse(readFileSync(join(pkg, "package.json"), "utf8"));
  const files = allFiles(pkg);
  const ends = [];
  const walk = (node) => {
    if (typeof node === "string") return ends.push(node);
    const conditions = Object.keys(node);
    if (conditions.includes("types")) assert.equal(conditions[0] === "node" ? conditions[1] : conditions[0], "types", "types come first");
    assert.ok(!conditions.includes("default") || conditions.at(-1) === "default", "default comes last");
    return Object.values(node).forEach(walk);
  };
  walk(manifest.exports);
  assert.deepEqual(ends.filter((end) => !files.includes(end.slice(2))), []);
  assert.deepEqual(Object.keys(manifest.exports), [".", "./slim", "./checkout", "./card", "./messages/en", "./messages/ru", "./sandbox", "./payspec.wasm", "./integrity.json", "./package.json"]);
  for (const main of ["main", "module", "types"]) assert.ok(files.includes(manifest[main].slice(2)), main);
  assert.deepEqual([manifest.devDependencies, manifest.scripts, manifest.dependencies], [undefined, undefined, undefined]);
});

test("imports nothing of Node.js and evaluates no text in browser files", () => {
  for (const file of ["index.js", "checkout.js", "slim.js", "card.js", "messages/en.js", "messages/ru.js", "sandbox.js"]) {
    // Without the module, which contains texts.
    const text = readFileSync(join(pkg, file), "utf8").replace(LITERAL, '""');
    assert.doesNotMatch(text, /\bnode:|\brequire\b|\bprocess\.|(?<!wasm-unsafe-)\beval\b|\bFunction\(|\bimport\(/, file);
  }
});

test("integrity.json contains the hash of every other file", () => {
  const hashes = JSON.parse(readFileSync(join(pkg, "integrity.json"), "utf8"));
  const files = allFiles(pkg).filter((file) => file !== "integrity.json");
  assert.deepEqual(Object.keys(hashes), files);
  for (const file of files) {
    const hash = createHash("sha384").update(readFileSync(join(pkg, file))).digest("base64");
    assert.equal(hashes[file], `sha384-${hash}`, file);
  }
});

test("returns the version of the package", async () => {
  const { version } = JSON.parse(readFileSync(join(pkg, "package.json"), "utf8"));
  const loads = [...Object.values(ENTRIES), SCRIPTS["payspec/card (import)"], SCRIPTS["payspec/card (require)"]];
  for (const load of loads) assert.equal((await load()).version, version);
});
