// Loads and uses every entry of the package in the toolchains of the table, which the book shows.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { CSP, browse, open, serve, skip } from "./support/browser.mjs";
import { folder } from "./support/package.mjs";
import { PAGE, RESULT, create, pack, resultOf, run, shown, tool } from "./support/projects.mjs";

const here = fileURLToPath(new URL("toolchains", import.meta.url));
const table = JSON.parse(readFileSync(join(here, "table.json"), "utf8"));
const own = createRequire(join(here, "package.json"));
const tested = [];

/** The projects, below the packages of the toolchains, which find the package as one of them. */
const work = join(here, "work");

/** Returns the path of a file in a package of the toolchains. */
const file = (path) => join(here, "node_modules", path);

/** Imports a package of the toolchains. */
const load = (name) => import(pathToFileURL(own.resolve(name)).href);

const project = (name, files, manifest = { type: "module" }) => create(join(work, name), files, manifest);

/** The program of a project that prints the result. */
const PRINT = 'import { use } from "./use.js"; console.log(JSON.stringify(await use()));';
const PRINTING = { "use.js": undefined, "main.js": PRINT };
/** The page of a project that sets the result. */
const PAGES = { "use.js": undefined, "page.js": undefined, "index.html": PAGE.replace("SCRIPT", "./page.js") };

/** Tests a row of the table: `call` returns what `use` has returned, or the errors of the entries that cannot work. */
function toolchain(name, call, options = {}) {
  const row = table.find((each) => each.name === name);
  tested.push(name);
  test(`toolchains: ${name}`, options, async () => {
    assert.ok(row, "a row of the table");
    const result = await call(row);
    if (row.fails === undefined) return assert.deepEqual(result, RESULT);
    assert.deepEqual(Object.keys(result), Object.keys(row.fails));
    for (const [entry, part] of Object.entries(row.fails)) assert.ok(result[entry].includes(part), `${entry}: ${result[entry]}`);
  });
}

before(async () => {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  const installed = file("payspec");
  rmSync(installed, { recursive: true, force: true });
  mkdirSync(installed);
  await run(work, "tar", "-xzf", await pack(work), "-C", installed, "--strip-components=1");
});

after(() => rmSync(work, { recursive: true, force: true }));

toolchain("Node.js, `import`", async () => JSON.parse(await run(project("node-esm", PRINTING), process.execPath, "main.js")));

toolchain("Node.js, `require()`", async () => {
  const main = 'require("./use.cjs").use().then((result) => console.log(JSON.stringify(result)));';
  return JSON.parse(await run(project("node-cjs", { "use.cjs": undefined, "main.js": main }, { type: "commonjs" }), process.execPath, "main.js"));
});

/** Returns the program in the package for this platform. Its link is created by a script of npm, and no scripts run. */
function platform(scope, path) {
  const found = readdirSync(file(scope)).map((name) => file(join(scope, name, path))).find(existsSync);
  assert.ok(found, `${path} in ${scope}`);
  return found;
}

toolchain("Deno", async () => {
  const rights = ["run", "--no-prompt", "--cached-only", "--node-modules-dir=manual", "--allow-read", "--allow-env"];
  return JSON.parse(await run(project("deno", PRINTING), platform("@deno", "deno"), ...rights, "main.js"));
});

toolchain("Bun", async () => JSON.parse(await run(project("bun", PRINTING), platform("@oven", "bin/bun"), "main.js")));

toolchain("Workers (workerd)", async () => {
  const main = 'import { use } from "./use.js"; export default { fetch: () => use().then(Response.json, (error) => new Response(error.stack)) };';
  const at = project("workerd", { "use.js": undefined, "main.js": main });
  // As Wrangler does: its conditions, and the module as a file of its own.
  const options = ["--bundle", "--format=esm", "--conditions=workerd,worker,browser", "--loader:.wasm=copy", "--asset-names=payspec", "--outfile=dist/main.js"];
  await run(at, tool("esbuild/bin/esbuild"), "main.js", ...options);
  const { Miniflare } = await load("miniflare");
  const rules = [{ type: "ESModule", include: ["**/*.js"] }, { type: "CompiledWasm", include: ["**/*.wasm"] }];
  const worker = new Miniflare({ modules: true, modulesRules: rules, scriptPath: join(at, "dist/main.js"), modulesRoot: join(at, "dist"), compatibilityDate: "2026-03-01" });
  try {
    const text = await (await worker.dispatchFetch("http://localhost/")).text();
    return text.startsWith("{") ? JSON.parse(text) : text;
  } finally {
    await worker.dispose();
  }
});

toolchain("Next.js, server and client components", async ({ config }) => {
  // The root is that of the packages, not of the repository.
  const settings = `export default ${JSON.stringify({ ...config, turbopack: { root: here } })};`;
  const at = project("next", { "use.js": undefined, "next.config.js": settings });
  cpSync(join(here, "next"), at, { recursive: true });
  const program = file("next/dist/bin/next");
  await run(at, process.execPath, program, "build");
  const server = spawn(process.execPath, [program, "start", "--port", "0", "--hostname", "127.0.0.1"], { cwd: at, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const address = await new Promise((found, failed) => {
      let printed = "";
      server.stdout.on("data", (data) => {
        printed += data;
        const [match] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
        if (match && printed.includes("Ready")) found(match);
      });
      server.on("exit", () => failed(new Error(`next start: ${printed}`)));
    });
    const { result, text } = await resultOf(address, null);
    assert.deepEqual(JSON.parse(text), RESULT, "on the server");
    return result;
  } finally {
    server.kill();
  }
}, { skip });

toolchain("Vite, `vite build`", async () => {
  const at = project("vite", PAGES);
  await run(at, process.execPath, tool("vite/bin/vite.js"), "build", "--logLevel", "warn");
  const built = readdirSync(join(at, "dist/assets"));
  assert.equal(built.filter((name) => name.endsWith(".wasm")).length, 1, "the module of payspec/slim is a separate file");
  return shown({ "/": join(at, "dist") });
}, { skip });

/** Returns the result of a page that Vite serves while it is developed. */
async function developed({ createServer }, name, config) {
  // The packages are above the project.
  const settings = { port: 0, host: "127.0.0.1", hmr: false, fs: { allow: [here] } };
  const server = await createServer({ root: project(name, PAGES), configFile: false, logLevel: "error", server: settings, ...config });
  try {
    await server.listen();
    return (await resultOf(`http://127.0.0.1:${server.httpServer.address().port}/`, null)).result;
  } finally {
    await server.close();
  }
}

toolchain("Vite, `vite dev`", async () => developed(await import("vite"), "vite-dev"), { skip });

toolchain("Vite 7, `vite dev`", async ({ config }) => {
  const vite = await load("vite");
  assert.match(await developed(vite, "vite7-without"), /found HTML: .*optimizeDeps\.exclude/);
  return developed(vite, "vite7-dev", config);
}, { skip });

toolchain("webpack", async () => {
  const at = project("webpack", PAGES);
  await run(at, process.execPath, tool("webpack-cli/bin/cli.js"), "--entry", "./page.js", "--mode", "production", "--no-performance", "--output-path", join(at, "dist"));
  writeFileSync(join(at, "dist/index.html"), PAGE.replace("SCRIPT", "main.js"));
  return shown({ "/": join(at, "dist") });
}, { skip });

toolchain("Parcel", async () => {
  const at = project("parcel", PAGES);
  await run(at, process.execPath, file("parcel/lib/bin.js"), "build", "index.html", "--no-cache", "--cache-dir", ".cache", "--no-autoinstall", "--dist-dir", "dist");
  // Parcel writes an import map into the page.
  return shown({ "/": join(at, "dist") }, CSP.replace("'self'", "'self' 'unsafe-inline'"));
}, { skip });

/** Returns the result of a bundle in `dist`, with the module beside it: these tools do not resolve addresses of files. */
function withModule(at) {
  cpSync(file("payspec/payspec.wasm"), join(at, "dist/payspec.wasm"));
  writeFileSync(join(at, "dist/index.html"), PAGE.replace("SCRIPT", "page.js"));
  return shown({ "/": join(at, "dist") });
}

toolchain("Rollup", async () => {
  const at = project("rollup", PAGES);
  await run(at, process.execPath, file("rollup/dist/bin/rollup"), "--plugin", "node-resolve", "--input", "page.js", "--dir", "dist", "--silent");
  return withModule(at);
}, { skip });

for (const charset of ["utf8", "ascii"]) {
  toolchain(charset === "utf8" ? "esbuild" : "esbuild, `charset=ascii`", async () => {
    const at = project(`esbuild-${charset}`, PAGES);
    await run(at, tool("esbuild/bin/esbuild"), "page.js", "--bundle", "--minify", "--format=esm", `--charset=${charset}`, "--outfile=dist/page.js", "--log-level=warning");
    return withModule(at);
  }, { skip });
}

/** The test that writes the result to a file, since test runners change what is printed. */
const writes = (use) => `test("use", async () => process.getBuiltinModule("fs").writeFileSync("result.json", JSON.stringify(await ${use})));`;
const written = (at) => JSON.parse(readFileSync(join(at, "result.json"), "utf8"));

for (const [name, environment] of [["Jest, jsdom 26", "jest-environment-jsdom"], ["Jest, jsdom 29", "./jsdom.cjs"]]) {
  toolchain(name, async () => {
    const files = {
      "use.cjs": undefined,
      "use.test.cjs": writes('require("./use.cjs").use()'),
      "jsdom.cjs": 'const { default: Jsdom } = require("@jest/environment-jsdom-abstract"); module.exports = class extends Jsdom { constructor(...all) { super(...all, require("jsdom")); } };',
      "jest.config.json": JSON.stringify({ testEnvironment: environment, testMatch: ["**/*.test.cjs"] }),
    };
    const at = project(environment.replace(/\W/g, ""), files);
    await run(at, process.execPath, file("jest/bin/jest.js"));
    return written(at);
  });
}

for (const environment of ["jsdom", "happy-dom"]) {
  toolchain(`Vitest, ${environment}`, async () => {
    const text = `import { test } from "vitest"; import { use } from "./use.js"; ${writes("use()")}`;
    const at = project(`vitest-${environment}`, { "use.js": undefined, "use.test.js": text });
    await run(at, process.execPath, file("vitest/vitest.mjs"), "run", "--environment", environment);
    return written(at);
  });
}

/** A program that prints the lines of `payspec sandbox`, and gives the same answer to all calls. */
const PROGRAM = `#!${process.execPath}
import { createServer } from "node:http";
const server = createServer((request, response) => response.end('{"now":"2026-01-01T00:00:02.000Z"}'));
server.listen(0, "127.0.0.1", () => console.log("api: http://127.0.0.1:" + server.address().port + "\\ntoken: sandbox_default\\nsecret: whsec_AA=="));
`;

test("toolchains: payspec/sandbox in Vitest", async () => {
  const text = `import { expect, test } from "vitest";
import { createSandbox } from "payspec/sandbox";
test("the clock", async () => {
  const sandbox = await createSandbox({ cli: "./payspec" });
  expect([sandbox.token, await sandbox.advance(2)]).toEqual(["sandbox_default", "2026-01-01T00:00:02.000Z"]);
  await sandbox.close();
});`;
  const at = project("vitest-sandbox", { "clock.test.js": text });
  writeFileSync(join(at, "payspec"), PROGRAM, { mode: 0o755 });
  await run(at, process.execPath, file("vitest/vitest.mjs"), "run");
});

/** Opens a page with the React component that the book shows. */
async function withReact(work) {
  const at = project("react", {});
  cpSync(join(here, "react"), at, { recursive: true });
  cpSync(join(folder, "tests/schema/card-number.jsx"), join(at, "card-number.jsx"));
  await run(at, tool("esbuild/bin/esbuild"), "page.jsx", "--bundle", "--format=esm", "--jsx=automatic", "--outfile=dist/page.js", "--log-level=warning");
  const server = await serve({ "/": join(at, "dist"), "/index.html": PAGE.replace("SCRIPT", "page.js"), "/favicon.ico": "" });
  try {
    await browse(async (browser) => {
      const { page, complaints } = await open(browser, `${server.address}/index.html`);
      await work(page, page.locator("input"));
      assert.deepEqual(complaints, []);
    });
  } finally {
    await server.close();
  }
}

/** Sets the text of a field and the caret in it. */
async function set(field, shown) {
  await field.fill(shown.replace("|", ""));
  await field.evaluate((input, caret) => input.setSelectionRange(caret, caret), shown.indexOf("|"));
}

/** Compares the text of a field, with `|` at the caret, and the state that its component has reported. */
async function has(field, shown, when) {
  const [text, start, end] = await field.evaluate((input) => [input.value, input.selectionStart, input.selectionEnd]);
  assert.deepEqual([`${text.slice(0, start)}|${text.slice(start)}`, end], [shown, start], when);
  assert.equal(await field.page().locator("output").innerText(), text, `the state, ${when}`);
}

test("toolchains: the React component of the book keeps the caret after the same digit", { skip }, () =>
  withReact(async (page, field) => {
    await field.pressSequentially("4111111111111111");
    await has(field, "4111 1111 1111 1111|", "typed at the end");
    for (const [before, key, after] of [
      ["41|11 1111", "9", "419|1 1111 1"],
      ["4111| 1111", "9", "4111 9|111 1"],
      ["4111 |1111", "Backspace", "4111| 1111"],
      ["4111| 1111", "Delete", "4111 |1111"],
      ["4111 1|111 1", "Backspace", "4111| 1111"],
    ]) {
      await set(field, before);
      await field.press(key);
      await has(field, after, `${key} at ${before}`);
    }
  }));

test("toolchains: the React component of the book rewrites nothing while text is composed", { skip }, () =>
  withReact(async (page, field) => {
    const method = await page.context().newCDPSession(page);
    await set(field, "41|11 1111");
    for (const text of ["\uff19", "\uff19\uff18"]) {
      await method.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
      await has(field, `41${text}|11 1111`, "during the composition");
    }
    await method.send("Input.insertText", { text: "\uff19\uff18" });
    await has(field, "4198| 1111 11", "after it");
    await field.press("5");
    await has(field, "4198 5|111 111", "typed after it");
  }));

/** Uses each entry on its own, and returns the errors. The other entries need no WebAssembly. */
const ERRORS = `import { cardInfo } from "payspec/card";
import { Engine as Checkout } from "payspec/checkout";
import { message } from "payspec/messages/en";
import init, { Engine as Slim } from "payspec/slim";
import { Engine } from "payspec";
const uses = { "payspec": () => new Engine(), "payspec/checkout": () => new Checkout(), "payspec/slim": () => init().then(() => new Slim()) };
const errors = {};
for (const [entry, use] of Object.entries(uses)) {
  try {
    await use();
  } catch (error) {
    errors[entry] = error.name + ": " + error.message;
  }
}
if (cardInfo("2200").scheme !== "mir" || !message({ code: "missing", path: "" })) throw new Error("payspec/card, payspec/messages/en");
export const result = errors;
`;

toolchain("A page without `'wasm-unsafe-eval'`", async () => {
  const at = project("policy", { "errors.js": ERRORS, "page.js": 'import { result } from "./errors.js"; globalThis.result = result;' });
  await run(at, tool("esbuild/bin/esbuild"), "page.js", "--bundle", "--format=esm", "--outfile=dist/page.js");
  cpSync(file("payspec/payspec.wasm"), join(at, "dist/payspec.wasm"));
  return shown({ "/": join(at, "dist"), "/index.html": PAGE.replace("SCRIPT", "page.js") }, CSP.replace(" 'wasm-unsafe-eval'", ""));
}, { skip });

toolchain("No WebAssembly (`node --jitless`)", async () => {
  const main = 'import { result } from "./errors.js"; console.log(JSON.stringify(result));';
  return JSON.parse(await run(project("jitless", { "errors.js": ERRORS, "main.js": main }), process.execPath, "--jitless", "main.js"));
});

test("toolchains: every row of the table is tested with the versions of its packages", () => {
  assert.deepEqual(tested.toSorted(), table.map(({ name }) => name).sort());
  const [ours, theirs] = [folder, here].map((at) => JSON.parse(readFileSync(join(at, "package.json"), "utf8")).devDependencies);
  for (const { name, package: wanted } of table) {
    if (!["node", "chromium"].includes(wanted)) assert.ok(ours[wanted] ?? theirs[wanted.replace("toolchains/", "")], name);
  }
});
