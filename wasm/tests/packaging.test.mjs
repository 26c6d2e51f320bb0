// Tests the package as installed by users: packed, installed into new projects from only the tarball, and run.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { skip } from "./support/browser.mjs";
import { allFiles, pkg, required } from "./support/package.mjs";
import { PAGE, RESULT, create, pack, run, shown, tool, version } from "./support/projects.mjs";

let root;
let tarball;

/** Creates a project and installs the tarball, without a network. */
async function project(name, files, manifest = {}) {
  const at = create(join(root, name), files, manifest);
  await run(at, "npm", "install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", tarball);
  return at;
}

before(async () => {
  root = mkdtempSync(join(tmpdir(), "payspec-packaging-"));
  tarball = await pack(root);
});

after(() => rmSync(root, { recursive: true, force: true }));

test("packaging: the tarball holds all files of the package, and no others", async () => {
  const at = await project("whole", {});
  assert.deepEqual(readdirSync(join(at, "node_modules")).filter((name) => !name.startsWith(".")), ["payspec"]);
  assert.deepEqual(allFiles(join(at, "node_modules/payspec")), allFiles(pkg));
});

test("packaging: every file is found by its name", async () => {
  const at = await project("resolve", { "resolve.js": 'console.log(import.meta.resolve("payspec/payspec.wasm"), import.meta.resolve("payspec/package.json"));' }, { type: "module" });
  assert.match(await run(at, process.execPath, "resolve.js"), /payspec\/payspec\.wasm .*payspec\/package\.json/);
});

const STRICT = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false, types: [], rootDir: ".", outDir: "out" };

for (const [name, type, options] of [
  ["nodenext, ESM", "module", { module: "nodenext", moduleResolution: "nodenext", target: "es2022", lib: ["es2022"] }],
  ["nodenext, CommonJS", "commonjs", { module: "nodenext", moduleResolution: "nodenext", target: "es2022", lib: ["es2022"] }],
  ["bundler", "module", { module: "esnext", moduleResolution: "bundler", target: "es2022", lib: ["es2022", "dom"] }],
]) {
  test(`packaging: TypeScript, ${name}`, async () => {
    const config = JSON.stringify({ compilerOptions: { ...STRICT, ...options }, files: ["use.ts"] });
    const at = await project(`typescript-${name.replace(/\W+/g, "-")}`, { "use.ts": undefined, "tsconfig.json": config }, { type });
    await run(at, process.execPath, tool("typescript/bin/tsc"), "--project", ".");
    const main = 'import("./out/use.js").then(({ use }) => use()).then((result) => console.log(JSON.stringify(result)));';
    writeFileSync(join(at, "main.js"), main);
    assert.deepEqual(JSON.parse(await run(at, process.execPath, "main.js")), RESULT);
  });
}

test("packaging: TypeScript, the module as an import", async () => {
  const config = JSON.stringify({ compilerOptions: { ...STRICT, noEmit: true, module: "esnext", moduleResolution: "bundler", target: "es2022", lib: ["es2022", "dom"] }, files: ["main.ts"] });
  const main = 'import wasm from "payspec/payspec.wasm"; import { initSync } from "payspec/slim"; initSync(wasm);';
  const at = await project("typescript-module", { "main.ts": main, "tsconfig.json": config }, { type: "module" });
  await run(at, process.execPath, tool("typescript/bin/tsc"), "--project", ".");
});

test("packaging: a plain page, no tools", { skip }, async () => {
  const at = await project("plain", { "plain.js": undefined, "index.html": PAGE.replace("SCRIPT", "plain.js") });
  assert.deepEqual(await shown({ "/": at }), { version, states: 8, slim: "refused", schemes: ["mir", "mir"], language: "ru" });
});

test("packaging: a bundle contains only what it imports", async () => {
  const at = await project("shaken", { "page.js": 'import { Engine } from "payspec"; import "payspec/checkout"; import "payspec/card"; import "payspec/messages/ru"; console.log(1);' }, { type: "module" });
  await run(at, tool("esbuild/bin/esbuild"), "page.js", "--bundle", "--minify", "--format=esm", "--outfile=out.js", "--log-level=error");
  assert.ok(readFileSync(join(at, "out.js")).length < 1000, "an unused entry is omitted, because sideEffects is correct");
});

test("packaging: publint reports nothing", async () => {
  const { publint } = await import("publint");
  const { formatMessage } = await import("publint/utils");
  const { messages } = await publint({ pkgDir: pkg, strict: true });
  const manifest = JSON.parse(readFileSync(join(pkg, "package.json"), "utf8"));
  assert.deepEqual(messages.map((message) => formatMessage(message, manifest)), []);
});

test("packaging: @arethetypeswrong/cli reports nothing", async () => {
  // The .wasm file has no types. The tool does not find the default export of payspec/slim in CommonJS, whose glue is wrapped:
  // it is tested here instead.
  const options = ["--profile", "node16", "--format", "json", "--exclude-entrypoints", "payspec.wasm", "--ignore-rules", "false-export-default"];
  const result = await run(root, process.execPath, tool("@arethetypeswrong/cli/dist/index.js"), tarball, ...options);
  const problems = JSON.parse(result).analysis.problems.map(({ kind, typesFileName }) => `${kind} ${typesFileName}`);
  assert.deepEqual(problems, ["FalseExportDefault /node_modules/payspec/slim.d.cts"]);
  const slim = await required("slim.node.cjs");
  assert.deepEqual([slim.__esModule, typeof slim.default], [true, "function"]);
});
