// Tests `payspec/slim`: every source of the module, failures, and second attempts.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { serve } from "./support/browser.mjs";
import { pkg, wasm } from "./support/package.mjs";

let copies = 0;

/** Imports the entry again, so that nothing is loaded yet. */
const fresh = (file) => import(`${pathToFileURL(join(pkg, file)).href}?copy=${copies++}`);

const works = ({ Engine }) => {
  const engine = new Engine();
  assert.equal(engine.checkTransition({ from: "completed", to: "routed" }).verdict, "refused");
  engine.free();
};
const answer = () => new Response(wasm(), { headers: { "content-type": "application/wasm" } });

const SOURCES = {
  "nothing, in Node.js": ["slim.node.js", () => undefined],
  "a file's URL, in Node.js": ["slim.node.js", () => pathToFileURL(join(pkg, "payspec.wasm"))],
  "a file's URL as a string, in Node.js": ["slim.node.js", () => pathToFileURL(join(pkg, "payspec.wasm")).href],
  "a DataView": ["slim.js", () => new DataView(Uint8Array.from(wasm()).buffer)],
  "an answer": ["slim.js", answer],
  "the promise of an answer": ["slim.js", async () => answer()],
  "bytes": ["slim.js", wasm],
  "an ArrayBuffer": ["slim.js", () => Uint8Array.from(wasm()).buffer],
  "a compiled module": ["slim.js", () => new WebAssembly.Module(wasm())],
};

for (const [name, [file, source]] of Object.entries(SOURCES)) {
  test(`slim: init with ${name}`, async () => {
    const entry = await fresh(file);
    assert.throws(() => new entry.Engine(), { name: "PayspecError", code: "argument" });
    assert.equal(await entry.default(source()), undefined);
    works(entry);
  });
}

test("slim: init with an address, as a string, a URL, a request", async () => {
  const server = await serve({ "/payspec.wasm": wasm() });
  try {
    const address = `${server.address}/payspec.wasm`;
    for (const source of [address, new URL(address), new Request(address)]) {
      for (const file of ["slim.js", "slim.node.js"]) {
        const entry = await fresh(file);
        await entry.default(source);
        works(entry);
      }
    }
  } finally {
    await server.close();
  }
});

test("slim: initSync with bytes and with a module", async () => {
  for (const source of [wasm(), new WebAssembly.Module(wasm())]) {
    const entry = await fresh("slim.js");
    assert.equal(entry.initSync(source), undefined);
    works(entry);
  }
});

test("slim: a repeated or concurrent init has no effect", async () => {
  const entry = await fresh("slim.node.js");
  await Promise.all([entry.default(), entry.default()]);
  const engine = new entry.Engine({ required: ["/merchant_id"] });
  const before = engine.validateRequestJson("{}");
  await entry.default();
  entry.initSync(wasm());
  assert.equal(engine.validateRequestJson("{}"), before);
  works(entry);
  engine.free();
});

test("slim: calls that overlap compile one module", async () => {
  const entry = await fresh("slim.js");
  let modules = 0;
  const { compile, compileStreaming } = WebAssembly;
  const counted = (original) => (...parameters) => {
    modules++;
    return original(...parameters);
  };
  Object.assign(WebAssembly, { compile: counted(compile), compileStreaming: counted(compileStreaming) });
  try {
    const both = Promise.all([entry.default(answer()), entry.default(wasm())]);
    assert.throws(() => entry.initSync(wasm()), { name: "PayspecError", code: "argument", path: "/engine" });
    await both;
    await entry.default(wasm());
    entry.initSync(wasm());
  } finally {
    Object.assign(WebAssembly, { compile, compileStreaming });
  }
  assert.equal(modules, 1);
  works(entry);
});

test("slim: a second call waits for the first, with any input", async () => {
  const entry = await fresh("slim.node.js");
  await Promise.all([entry.default(), entry.default(new Uint8Array([1, 2, 3]))]);
  works(entry);
});

test("slim: another module is rejected, and another attempt may succeed", async () => {
  const other = new WebAssembly.Module(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
  const entry = await fresh("slim.js");
  await assert.rejects(entry.default(other), { name: "PayspecError", code: "value", path: "/module" });
  assert.throws(() => entry.initSync(other), { name: "PayspecError", code: "value", path: "/module" });
  assert.throws(() => new entry.Engine(), { name: "PayspecError", code: "argument" });
  await entry.default(wasm());
  works(entry);
});

test("slim: a failure is reported, and another attempt may succeed", async () => {
  const server = await serve({});
  try {
    const entry = await fresh("slim.js");
    await assert.rejects(entry.default(`${server.address}/missing.wasm`), {
      name: "PayspecError",
      code: "value",
      path: "/module",
      expected: "expected payspec.wasm, found status 404",
    });
    await assert.rejects(entry.default(new Uint8Array([1, 2, 3])), WebAssembly.CompileError);
    assert.throws(() => entry.initSync(new Uint8Array(0)), WebAssembly.CompileError);
    assert.throws(() => new entry.Engine(), { name: "PayspecError", code: "argument" });
    await entry.default(wasm());
    works(entry);
  } finally {
    await server.close();
  }
});
