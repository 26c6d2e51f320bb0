// Tests the types: valid uses compile, invalid ones are rejected, and every answer in the vectors has the type of its operation.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { allFiles } from "./support/package.mjs";
import { callsOf, operations } from "./types/vectors.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const types = join(here, "..", "types");
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
const valid = readFileSync(join(here, "types", "valid.ts"), "utf8");
const invalid = readFileSync(join(here, "types", "invalid.ts"), "utf8");
const DIRECTIVE = "// @ts-expect-error";

const STRICT = {
  target: "es2022",
  lib: ["es2022"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
};
const NODE = { module: "nodenext", moduleResolution: "nodenext" };
const BUNDLER = { module: "esnext", moduleResolution: "bundler" };

let folder;

// A project that has installed the package: unchanged ESM types, and CommonJS types with the other ending.
before(() => {
  folder = mkdtempSync(join(tmpdir(), "payspec-types-"));
  const installed = join(folder, "node_modules", "payspec");
  cpSync(types, installed, { recursive: true });
  for (const name of allFiles(types)) {
    const text = readFileSync(join(types, name), "utf8");
    writeFileSync(join(installed, name.replace(/\.d\.ts$/, ".d.cts")), text.replace(/(from "\.[\w./-]+)\.js"/g, '$1.cjs"'));
  }
  const entry = (name) => ({ import: { types: `./${name}.d.ts` }, require: { types: `./${name}.d.cts` } });
  const exports = {
    ".": entry("index"),
    "./slim": entry("slim"),
    "./checkout": entry("checkout"),
    "./card": entry("card"),
    "./messages/en": entry("messages/en"),
    "./messages/ru": entry("messages/ru"),
    "./sandbox": entry("sandbox"),
  };
  writeFileSync(join(installed, "package.json"), JSON.stringify({ name: "payspec", type: "module", exports }));
});

after(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the errors of the compiler in these files: position and text of each. */
function errors(files, options) {
  const project = mkdtempSync(join(folder, "project-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  const config = { compilerOptions: { ...STRICT, ...options }, files: Object.keys(files) };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
  const run = spawnSync(process.execPath, [tsc, "-p", project, "--pretty", "false"], { cwd: project, encoding: "utf8" });
  const found = [...run.stdout.matchAll(/^(\S[^(\n]*)\((\d+),\d+\): error (TS\d+): (.*)$/gm)].map(
    ([, file, line, code, text]) => ({ file, line: Number(line), code, text }),
  );
  // An error without a position would be in the settings.
  assert.equal(run.status !== 0, found.length > 0, run.stdout + run.stderr);
  return found;
}

test("accepts valid uses, and invalid ones under their directives, in every kind of project", () => {
  for (const [name, text] of Object.entries({ valid, invalid })) {
    assert.deepEqual(errors({ [`${name}.mts`]: text }, NODE), [], `${name}, ESM, nodenext`);
    assert.deepEqual(errors({ [`${name}.cts`]: text }, NODE), [], `${name}, CommonJS, nodenext`);
    assert.deepEqual(errors({ [`${name}.ts`]: text }, BUNDLER), [], `${name}, ESM, bundler`);
    assert.deepEqual(errors({ [`${name}.ts`]: text }, { ...BUNDLER, lib: ["esnext", "dom"] }), [], `${name}, with the DOM`);
    const old = { target: "es2020", lib: ["es2020"], exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: false };
    assert.deepEqual(errors({ [`${name}.mts`]: text }, { ...NODE, ...old }), [], `${name}, ES2020`);
  }
});

test("rejects only invalid uses without their directives", () => {
  const lines = invalid.split("\n");
  const expected = lines.flatMap((line, index) => (line.trim() === DIRECTIVE ? [index + 2] : []));
  assert.ok(expected.length > 80, `${expected.length} invalid uses`);
  const bare = lines.map((line) => (line.trim() === DIRECTIVE ? "//" : line)).join("\n");
  const found = errors({ "invalid.mts": bare }, NODE);
  assert.deepEqual([...new Set(found.map(({ line }) => line))], expected);
  // A name or module that does not exist would be rejected for another reason.
  assert.deepEqual(found.filter(({ code }) => ["TS2304", "TS2305", "TS2307", "TS2552", "TS2724"].includes(code)), []);
});

test("accepts classes of the DOM for payspec/slim in a project with the DOM types", () => {
  const text = `
import init, { Engine, initSync } from "payspec/slim";
await init(new URL("payspec.wasm", "https://shop.example"));
await init(new Request("/payspec.wasm"));
await init(fetch("/payspec.wasm"));
await init(await fetch("/payspec.wasm"));
await init(await WebAssembly.compile(new Uint8Array()));
initSync(new WebAssembly.Module(new Uint8Array()));
using engine = new Engine();
engine.states();
`;
  assert.deepEqual(errors({ "page.mts": text }, { ...NODE, lib: ["es2022", "dom"] }), []);
  assert.deepEqual(errors({ "page.mts": text }, { ...NODE, lib: ["esnext", "dom"] }), []);
  const unknown = errors({ "page.mts": text }, NODE);
  assert.deepEqual([...new Set(unknown.map(({ code }) => code))], ["TS2304"], "without the DOM these names are unknown");
});

test("accepts the examples in the comments", () => {
  const bodies = [];
  for (const name of allFiles(types)) {
    const text = readFileSync(join(types, name), "utf8");
    for (const [, example] of text.matchAll(/ @example\n((?: *\*(?: .*)?\n)+?) *\*\/\n/g)) {
      const lines = example.split("\n").map((line) => line.replace(/^ *\* ?/, ""));
      bodies.push(lines.filter((line) => !line.startsWith("import ")).join("\n"));
    }
  }
  assert.ok(bodies.length >= 25, `${bodies.length} examples`);
  const around = readFileSync(join(here, "types", "around.ts"), "utf8");
  const examples = bodies.map((body, index) => `export async function example${index}() {\n${body}\n}\n`);
  const text = `${around}\n${examples.join("\n")}`;
  assert.deepEqual(errors({ "examples.mts": text }, { ...NODE, lib: ["es2022", "dom"] }), []);
});

test("accepts every answer in the vectors as the type of its operation", () => {
  const folders = operations();
  assert.equal(folders.length, 30);
  const files = {};
  let answers = 0;
  for (const operation of folders) {
    const calls = callsOf(operation);
    assert.ok(calls.answers > 0, `${operation} has no answer`);
    answers += calls.answers;
    files[`${operation}.mts`] = calls.text;
  }
  assert.ok(answers > 2000, `${answers} answers`);
  assert.deepEqual(errors(files, NODE), []);
});

test("rejects an answer of another operation", () => {
  const changes = {
    states: [/"outcome": ?"success"/, '"outcome":"failure"'],
    convert: [/"currency": ?"USDT"/, '"currency":"USDC"'],
    validate_request: [/"minor_unit": ?0/, '"minor":0'],
    create_payment: [/"code": ?"idempotency_conflict"/, '"code":"quote_stale"'],
    card_info: [/"possible": ?true/, '"possible":true,"more":1'],
    authorize: [/"token": ?"abc"/, '"tokens":"abc"'],
  };
  const files = {};
  for (const [operation, [from, to]] of Object.entries(changes)) {
    const { text } = callsOf(operation);
    assert.match(text, from, operation);
    files[`${operation}.mts`] = text.replace(from, to);
  }
  const found = errors(files, NODE).map(({ file }) => file);
  assert.deepEqual([...new Set(found)].sort(), Object.keys(files).sort());
});
