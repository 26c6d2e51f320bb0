// Measures calls with objects in Chromium, beside ajv (P7o): the first one, the thousandth, and many. `node calls.mjs` prints
// tables of the built package; `node calls.mjs --memory [how many calls]` shows the memory before and after calls. ajv is the
// one of the benchmarks: `npm ci` in tests/bench/node.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

import { launch } from "./tests/support/chromium.mjs";
import { pkg } from "./tests/support/package.mjs";

const BENCH = fileURLToPath(new URL("../tests/bench", import.meta.url));
/** Modules with a class `Engine`. */
const LIBRARIES = { payspec: "/index.js", "payspec/checkout": "/checkout.js", ajv: "/ajv.js" };
const PROCESSORS = { usual: 1, "4 times slower": 4 };
const FIRST_ROUNDS = 9;

/** The headers of a page whose clock has a resolution of 5 µs. */
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

const corpus = (kind) => readdirSync(join(BENCH, "corpus", kind)).sort().map((file) => JSON.parse(readFileSync(join(BENCH, "corpus", kind, file), "utf8")));
const BODIES = { valid: corpus("valid"), invalid: corpus("invalid") };

const median = (values) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)];

/** Returns ajv as a module like those of the package. */
async function ajvModule() {
  const contents = 'import { compileAjv } from "./ajv.mjs"; import schema from "../schema.json"; export class Engine { validateRequest = compileAjv(schema); }';
  const { outputFiles } = await build({ stdin: { contents, resolveDir: join(BENCH, "node") }, bundle: true, format: "esm", minify: true, write: false });
  return outputFiles[0].text;
}

/** Returns the times of a library in a new page, in microseconds: an engine, its first call, and its thousandth. */
async function timeFirst({ module, bodies }) {
  const { Engine } = await import(module);
  const times = [performance.now()];
  const engine = new Engine();
  times.push(performance.now());
  engine.validateRequest(bodies[0]);
  times.push(performance.now());
  for (let call = 2; call < 1000; call++) engine.validateRequest(bodies[call % bodies.length]);
  // The mean of some calls, since one is shorter than the resolution of the clock.
  const CALLS = 20;
  const start = performance.now();
  for (let call = 0; call < CALLS; call++) engine.validateRequest(bodies[call % bodies.length]);
  const thousandth = (performance.now() - start) / CALLS;
  return [times[1] - times[0], times[2] - times[1], thousandth].map((time) => time * 1000);
}

/** Returns the times of many calls of each library in turns, in nanoseconds. */
async function timeMany({ modules, bodies }) {
  const engines = await Promise.all(modules.map(async (module) => new (await import(module)).Engine()));
  const [ROUNDS, PASSES] = [21, 1000];
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push(engines.map((engine) => {
      const start = performance.now();
      for (let pass = 0; pass < PASSES; pass++) for (const body of bodies) engine.validateRequest(body);
      return ((performance.now() - start) * 1e6) / PASSES / bodies.length;
    }));
  }
  return rounds;
}

/** Calls an entry in a page, and keeps its memory for `pages`. */
async function callMany({ module, bodies, calls }) {
  if (!globalThis.engine) {
    WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
      construct(target, parameters) {
        const instance = new target(...parameters);
        globalThis.memory = instance.exports.memory;
        return instance;
      },
    });
    globalThis.engine = new (await import(module)).Engine();
  }
  for (let call = 0; call < calls; call++) globalThis.engine.validateRequest(bodies[call % bodies.length]);
  return globalThis.memory.buffer.byteLength;
}

/** Opens a page whose processor is slower by a factor, for `work`. */
async function inPage(browser, address, rate, work) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await page.goto(address);
    await session.send("Emulation.setCPUThrottlingRate", { rate });
    return await work(page, session);
  } finally {
    await context.close();
  }
}

/** Prints a table of the times of first calls. */
async function showFirst(browser, address) {
  console.log("| processor | bodies | library | new Engine(), µs | first call, µs | thousandth call, µs |");
  console.log("|---|---|---|---|---|---|");
  for (const [processor, rate] of Object.entries(PROCESSORS)) {
    for (const [kind, bodies] of Object.entries(BODIES)) {
      for (const [library, module] of Object.entries(LIBRARIES)) {
        const rounds = [];
        for (let round = 0; round < FIRST_ROUNDS; round++) rounds.push(await inPage(browser, address, rate, (page) => page.evaluate(timeFirst, { module, bodies })));
        const medians = rounds[0].map((_, column) => median(rounds.map((times) => times[column])).toFixed(1));
        console.log(`| ${processor} | ${kind} | ${library} | ${medians.join(" | ")} |`);
      }
    }
  }
}

/** Prints a table of the times of many calls, as ratios to ajv. */
async function showMany(browser, address) {
  const libraries = Object.keys(LIBRARIES);
  console.log(`\n| processor | bodies | ${libraries.map((library) => `${library}, ns | ÷ ajv`).join(" | ")} |`);
  console.log(`|---|---|${libraries.map(() => "---|---|").join("")}`);
  for (const [processor, rate] of Object.entries(PROCESSORS)) {
    for (const [kind, bodies] of Object.entries(BODIES)) {
      const rounds = await inPage(browser, address, rate, (page) => page.evaluate(timeMany, { modules: Object.values(LIBRARIES), bodies }));
      const columns = libraries.map((_, column) => {
        const time = median(rounds.map((times) => times[column]));
        return `${time.toFixed(0)} | ${median(rounds.map((times) => times[column] / times.at(-1))).toFixed(2)}`;
      });
      console.log(`| ${processor} | ${kind} | ${columns.join(" | ")} |`);
    }
  }
}

/** Prints the memory of both entries before and after many calls. */
async function showMemory(browser, address, calls) {
  const bodies = [...BODIES.valid, ...BODIES.invalid];
  console.log("| entry | calls | memory of the module, KiB | heap after collection, KiB |");
  console.log("|---|---|---|---|");
  for (const entry of ["payspec", "payspec/checkout"]) {
    await inPage(browser, address, 1, async (page, session) => {
      const measure = async (calls) => {
        const module = await page.evaluate(callMany, { module: LIBRARIES[entry], bodies, calls });
        await session.send("HeapProfiler.collectGarbage");
        const { usedSize } = await session.send("Runtime.getHeapUsage");
        console.log(`| ${entry} | ${calls} | ${module / 1024} | ${Math.round(usedSize / 1024)} |`);
        return { module, heap: usedSize };
      };
      const before = await measure(100_000);
      const after = await measure(calls);
      assert.equal(after.module, before.module, "the memory of the module has grown");
      assert.ok(after.heap < before.heap + 100_000, "the heap has grown");
    });
  }
}

const ajv = await ajvModule();
const server = createServer(({ url }, response) => {
  const isPage = url === "/";
  const body = isPage ? '<!doctype html><html lang="en"><meta charset="utf-8"><title>payspec</title><link rel="icon" href="data:,"></html>' : url === "/ajv.js" ? ajv : readFileSync(join(pkg, url));
  response.writeHead(200, { ...ISOLATED, "content-type": isPage ? "text/html" : "text/javascript; charset=utf-8" }).end(body);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const address = `http://127.0.0.1:${server.address().port}/`;
const browser = await launch();
try {
  if (argv[2] === "--memory") {
    await showMemory(browser, address, Number(argv[3] ?? 10_000_000));
  } else {
    await showFirst(browser, address);
    await showMany(browser, address);
  }
} finally {
  await browser.close();
  server.closeAllConnections();
  server.close();
}
