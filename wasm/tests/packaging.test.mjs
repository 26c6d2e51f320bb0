// Tests the package as installed by users: packed, installed into new projects from only the tarball, and run.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { CSP, browse, open, serve, skip } from "./support/browser.mjs";
import { allFiles, folder, pkg, required } from "./support/package.mjs";

const sources = join(folder, "tests/packaging");
const { version } = JSON.parse(readFileSync(join(pkg, "package.json"), "utf8"));

const RESULT = {
  version,
  created: "1500",
  rejected: 422,
  callerError: [true, "policy", "/colour"],
  slim: "refused",
  checkout: ["amount_scale /amount"],
  scheme: "mir",
  year: 2027,
  messages: ["the currency has 0 fraction digits", "у валюты 0 знаков после запятой"],
};

const PAGE = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>payspec</title></head><body><script type="module" src="SCRIPT"></script></body></html>';

let root;
let tarball;

/** Runs a program, and returns its output. */
async function run(cwd, program, ...args) {
  const env = { ...process.env, NODE_ENV: "production", NO_COLOR: "1", npm_config_update_notifier: "false" };
  try {
    return (await promisify(execFile)(program, args, { cwd, env, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    throw new Error(`${program} ${args.join(" ")}: ${error.code}\n${error.stdout}\n${error.stderr}`);
  }
}

/** Returns the path of a program in wasm/node_modules. The projects contain only the package. */
const tool = (file) => join(folder, "node_modules", file);

/** Creates a project and installs the tarball, without a network. */
async function project(name, files, manifest = {}) {
  const at = join(root, name);
  mkdirSync(at);
  writeFileSync(join(at, "package.json"), JSON.stringify({ name, private: true, ...manifest }));
  await run(at, "npm", "install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", tarball);
  for (const [file, text] of Object.entries(files)) {
    if (text === undefined) cpSync(join(sources, file), join(at, file));
    else writeFileSync(join(at, file), text);
  }
  return at;
}

before(async () => {
  root = mkdtempSync(join(tmpdir(), "payspec-packaging-"));
  const [packed] = JSON.parse(await run(root, "npm", "pack", "--json", "--pack-destination", root, pkg));
  tarball = join(root, packed.filename);
});

after(() => rmSync(root, { recursive: true, force: true }));

test("packaging: the tarball holds all files of the package, and no others", async () => {
  const at = await project("whole", {});
  assert.deepEqual(readdirSync(join(at, "node_modules")).filter((name) => !name.startsWith(".")), ["payspec"]);
  assert.deepEqual(allFiles(join(at, "node_modules/payspec")), allFiles(pkg));
});

test("packaging: Node.js, ESM", async () => {
  const script = 'import { use } from "./use.js"; console.log(JSON.stringify(await use()));';
  const at = await project("node-esm", { "use.js": undefined, "main.js": script }, { type: "module" });
  assert.deepEqual(JSON.parse(await run(at, process.execPath, "main.js")), RESULT);
  writeFileSync(join(at, "resolve.js"), 'console.log(import.meta.resolve("payspec/payspec.wasm"), import.meta.resolve("payspec/package.json"));');
  assert.match(await run(at, process.execPath, "resolve.js"), /payspec\/payspec\.wasm .*payspec\/package\.json/);
});

test("packaging: Node.js, CommonJS", async () => {
  const script = 'require("./use.cjs").use().then((result) => console.log(JSON.stringify(result)));';
  const at = await project("node-cjs", { "use.cjs": undefined, "main.js": script }, { type: "commonjs" });
  assert.deepEqual(JSON.parse(await run(at, process.execPath, "main.js")), RESULT);
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

/** Returns the text of a built page in Chromium, under a strict policy. */
async function shown(files, path = "/index.html") {
  return browse(async (browser) => {
    const server = await serve({ "/favicon.ico": "", ...files }, { "content-security-policy": CSP });
    try {
      const { page, complaints } = await open(browser, server.address + path);
      await page.waitForFunction(() => globalThis.result, undefined, { timeout: 30_000 }).catch(() => {});
      const result = await page.evaluate(() => globalThis.result);
      assert.deepEqual(complaints, []);
      return result;
    } finally {
      await server.close();
    }
  });
}

test("packaging: a plain page, no tools", { skip }, async () => {
  const at = await project("plain", { "plain.js": undefined, "index.html": PAGE.replace("SCRIPT", "plain.js") });
  assert.deepEqual(await shown({ "/": at }), { version, states: 8, slim: "refused", schemes: ["mir", "mir"], language: "ru" });
});

test("packaging: Vite", { skip }, async () => {
  const files = { "use.js": undefined, "page.js": undefined, "index.html": PAGE.replace("SCRIPT", "/page.js") };
  const at = await project("vite", files, { type: "module" });
  await run(at, process.execPath, tool("vite/bin/vite.js"), "build", "--logLevel", "warn");
  assert.deepEqual(await shown({ "/": join(at, "dist") }), RESULT);
  const built = readdirSync(join(at, "dist/assets"));
  assert.equal(built.filter((name) => name.endsWith(".wasm")).length, 1, "the module of payspec/slim is a separate file");
});

test("packaging: Vite while developing", { skip }, async () => {
  const files = { "use.js": undefined, "page.js": undefined, "index.html": PAGE.replace("SCRIPT", "/page.js") };
  const at = await project("vite-dev", files, { type: "module" });
  const { createServer } = await import("vite");
  const server = await createServer({ root: at, configFile: false, logLevel: "error", server: { port: 0, host: "127.0.0.1", hmr: false } });
  try {
    await server.listen();
    const { port } = server.httpServer.address();
    const result = await browse(async (browser) => {
      const { page } = await open(browser, `http://127.0.0.1:${port}/`);
      await page.waitForFunction(() => globalThis.result, undefined, { timeout: 30_000 });
      return page.evaluate(() => globalThis.result);
    });
    assert.deepEqual(result, RESULT);
  } finally {
    await server.close();
  }
});

test("packaging: webpack", { skip }, async () => {
  const files = { "use.js": undefined, "page.js": undefined };
  const at = await project("webpack", files, { type: "module" });
  const cli = [tool("webpack-cli/bin/cli.js"), "--entry", "./page.js", "--mode", "production", "--no-performance", "--output-path", join(at, "dist")];
  await run(at, process.execPath, ...cli);
  writeFileSync(join(at, "dist/index.html"), PAGE.replace("SCRIPT", "main.js"));
  assert.deepEqual(await shown({ "/": join(at, "dist") }), RESULT);
});

test("packaging: esbuild", { skip }, async () => {
  const files = { "use.js": undefined, "page.js": undefined };
  const at = await project("esbuild", files, { type: "module" });
  await run(at, tool("esbuild/bin/esbuild"), "page.js", "--bundle", "--minify", "--format=esm", "--outfile=dist/page.js", "--log-level=warning");
  // esbuild does not resolve addresses of files, so the module of payspec/slim is copied next to the bundle.
  cpSync(join(at, "node_modules/payspec/payspec.wasm"), join(at, "dist/payspec.wasm"));
  writeFileSync(join(at, "dist/index.html"), PAGE.replace("SCRIPT", "page.js"));
  assert.deepEqual(await shown({ "/": join(at, "dist") }), RESULT);
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
