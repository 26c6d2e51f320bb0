// The figures of the package beside JSON.parse, ajv, zod and valibot, in one run: P7 and P8. node bench/bench.mjs

import { spawn, spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL, fileURLToPath } from "node:url";

import { measure, percentile, ratio } from "./clock.mjs";
import { peers } from "./schemas.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const pkg = resolve(process.env.PAYSPEC_PACKAGE ?? join(root, "wasm/pkg"));
const { Engine } = await import(pathToFileURL(join(pkg, "index.js")).href);

const encoder = new TextEncoder();
const corpus = (kind) => {
  const folder = join(root, "tests/bench/corpus", kind);
  return readdirSync(folder).sort().map((file) => readFileSync(join(folder, file), "utf8"));
};
const [valid, invalid] = ["valid", "invalid"].map(corpus);
const objects = valid.map((text) => JSON.parse(text));
const bytes = valid.map((text) => encoder.encode(text));

const engine = new Engine();
const { ajv, zod, valibot } = peers();

// A contender that says yes to everything would be fast.
for (const [name, accepts] of Object.entries({ ajv, zod, valibot, payspec: (body) => engine.isValidRequest(body) })) {
  const wrong = [...valid.filter((text) => !accepts(JSON.parse(text))), ...invalid.filter((text) => accepts(JSON.parse(text)))];
  if (wrong.length > 0) throw new Error(`${name} judges wrongly: ${wrong[0]}`);
}

const PARSE = "JSON.parse";
const AJV = "JSON.parse + ajv, all errors";
const JSON_FORM = "payspec, string → JSON string";
const VERDICT = "payspec, verdict of bytes";
const NATIVE = "payspec, native verdict";

const contenders = [
  { name: PARSE, bodies: valid, work: (text) => JSON.parse(text) },
  { name: AJV, bodies: valid, work: (text) => ajv(JSON.parse(text)) },
  { name: "JSON.parse + zod", bodies: valid, work: (text) => zod(JSON.parse(text)) },
  { name: "JSON.parse + valibot", bodies: valid, work: (text) => valibot(JSON.parse(text)) },
  { name: JSON_FORM, bodies: valid, work: (text) => engine.validateRequestJson(text) },
  { name: "payspec, string → object", bodies: valid, work: (text) => engine.validateRequest(text) },
  { name: "payspec, object → object", bodies: objects, work: (body) => engine.validateRequest(body) },
  { name: "payspec, verdict of a string", bodies: valid, work: (text) => engine.isValidRequest(text) },
  { name: VERDICT, bodies: bytes, work: (body) => engine.isValidRequest(body) },
  { name: "invalid: JSON.parse + ajv, all errors", bodies: invalid, work: (text) => ajv(JSON.parse(text)) },
  { name: "invalid: JSON.parse + zod", bodies: invalid, work: (text) => zod(JSON.parse(text)) },
  { name: "invalid: payspec, string → JSON string", bodies: invalid, work: (text) => engine.validateRequestJson(text) },
];

const native = startNative();
if (native) contenders.push({ name: NATIVE, round: native.round });

const figures = await measure(contenders);
native?.stop();

const cell = (value, width, digits) => value.toFixed(digits).padStart(width);
console.log(`\nNode.js ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}\n`);
console.log(`${"a body, median of all rounds".padEnd(42)}${"ns".padStart(9)}${"± %".padStart(7)}${"× JSON.parse".padStart(14)}`);
for (const [name, rounds] of figures) {
  const median = percentile(rounds, 50);
  const spread = ((percentile(rounds, 90) - percentile(rounds, 10)) / 2 / median) * 100;
  console.log(`${name.padEnd(42)}${cell(median, 9, 0)}${cell(spread, 7, 0)}${cell(ratio(rounds, figures.get(PARSE)), 14, 2)}`);
}

const targets = [
  { what: "P7  string → JSON string ÷ (JSON.parse + ajv)", of: JSON_FORM, base: AJV, must: 0.4, should: 0.3 },
  { what: "P8  verdict, WebAssembly ÷ native", of: VERDICT, base: NATIVE, must: 1.8, should: 1.5 },
];
console.log(`\n${"target".padEnd(48)}${"measured".padStart(10)}${"must".padStart(7)}${"should".padStart(8)}`);
for (const { what, of, base, must, should } of targets) {
  if (!figures.has(base)) {
    console.log(`${what.padEnd(48)} not measured: cargo is not here`);
    continue;
  }
  const measured = ratio(figures.get(of), figures.get(base));
  const word = measured > must ? "NOT REACHED" : measured > should ? "reached" : "reached, stretch too";
  console.log(`${what.padEnd(48)}${cell(measured, 10, 2)}${cell(must, 7, 2)}${cell(should, 8, 2)}   ${word}`);
}

/** The Rust program that measures the native verdict, a round for each line that it is given. */
function startNative() {
  const build = ["build", "--release", "--locked", "--package", "payspec-bench", "--bin", "verdict", "--message-format", "json"];
  const built = spawnSync("cargo", build, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26, stdio: ["ignore", "pipe", "inherit"] });
  const made = built.status === 0 ? built.stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line)) : [];
  const program = made.findLast(({ executable }) => executable)?.executable;
  if (!program) return undefined;
  const child = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const round = async () => {
    child.stdin.write("\n");
    return Number((await lines.next()).value) / 1000;
  };
  return { round, stop: () => child.stdin.end() };
}
