// Tests `payspec/slim`: every source of the module, failures, and second attempts.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";

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

test("slim: an error names what was found instead of the module", async () => {
  const found = (text) => ({ name: "PayspecError", code: "value", path: "/module", expected: `expected payspec.wasm, found ${text}` });
  const html = found("HTML: pass the address of the file, or list payspec in optimizeDeps.exclude of Vite");
  const entry = await fresh("slim.js");
  // The server of Vite answers an unknown address with the page.
  await assert.rejects(entry.default(new Response("<!doctype html>")), html);
  await assert.rejects(entry.default(Buffer.from("<!doctype html>")), html);
  for (const bytes of [new Uint8Array([1, 2, 3]), new Uint8Array(0), undefined]) {
    if (bytes) await assert.rejects(entry.default(bytes), found("other bytes"));
    assert.throws(() => entry.initSync(bytes), found("other bytes"));
  }
  await entry.default(wasm());
  works(entry);
});

test("slim: a platform that compiles no module is named, with the error of the platform", async () => {
  const { Module, compile } = WebAssembly;
  const cause = new WebAssembly.CompileError("Wasm code generation disallowed by embedder");
  const module = new Module(wasm());
  const refuse = new Proxy(Module, { construct() { throw cause; } });
  Object.assign(WebAssembly, { Module: refuse, compile: () => Promise.reject(cause) });
  try {
    const expected = { name: "PayspecError", code: "argument", path: "/engine", expected: /'wasm-unsafe-eval'.*initSync of payspec\/slim/, cause };
    for (const file of ["index.js", "checkout.js"]) {
      const entry = await fresh(file);
      assert.throws(() => new entry.Engine(), expected);
    }
    const entry = await fresh("slim.js");
    await assert.rejects(entry.default(wasm()), expected);
    assert.throws(() => entry.initSync(wasm()), expected);
    entry.initSync(module);
    works(entry);
  } finally {
    Object.assign(WebAssembly, { Module, compile });
  }
});

test("slim: without an address of its own, an entry asks for the one of the module", async () => {
  const source = readFileSync(join(pkg, "slim.js"), "utf8").replaceAll("import.meta.url", "undefined");
  const entry = await import(`data:text/javascript;base64,${Buffer.from(source).toString("base64")}`);
  await assert.rejects(entry.default(), { name: "PayspecError", code: "argument", path: "/module" });
  const bundle = { exports: {} };
  runInNewContext(readFileSync(join(pkg, "slim.cjs"), "utf8"), { module: bundle, __dirname: "/", WebAssembly });
  await assert.rejects(bundle.exports.default(), { name: "PayspecError", code: "argument", path: "/module" });
  const required = createRequire(import.meta.url)(join(pkg, "slim.cjs"));
  await required.default();
  works(required);
});

test("a script that was decoded with another charset, or is part of an HTML document, is named", async () => {
  for (const file of ["index.js", "checkout.js"]) {
    const bytes = readFileSync(join(pkg, file));
    for (const source of [bytes.toString("latin1"), new TextDecoder("windows-1252").decode(bytes), bytes.toString("utf8").replaceAll("\0", "\ufffd")]) {
      const entry = await import(`data:text/javascript;charset=utf-8;base64,${Buffer.from(source).toString("base64")}`);
      assert.throws(() => new entry.Engine(), { name: "PayspecError", code: "value", path: "/engine", expected: /decoded as UTF-8/ });
    }
  }
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
    const damaged = wasm().subarray(0, 5000);
    await assert.rejects(entry.default(damaged), WebAssembly.CompileError);
    assert.throws(() => entry.initSync(damaged), WebAssembly.CompileError);
    assert.throws(() => new entry.Engine(), { name: "PayspecError", code: "argument" });
    await entry.default(wasm());
    works(entry);
  } finally {
    await server.close();
  }
});
