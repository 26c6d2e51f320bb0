// Measures the npm package, JSON.parse, ajv, zod, and valibot in one run, and prints JSON for `cargo xtask bench`.
// node bench.mjs ADDON [--short]: ADDON is the file of the native verdict, built from `native`.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { Engine as CheckoutEngine } from "../../../wasm/pkg/checkout.js";
import { Engine } from "../../../wasm/pkg/index.js";
import { measure } from "./clock.mjs";
import { firstCalls } from "./first.mjs";
import { otherLibraries } from "./schemas.mjs";

const [addon, short] = process.argv.slice(2);
const native = { exports: {} };
process.dlopen(native, addon);
const folder = fileURLToPath(new URL("../corpus", import.meta.url));

/** Returns the texts, bytes and objects of the same bodies. */
function corpus(kind) {
  const texts = readdirSync(join(folder, kind)).sort().map((file) => readFileSync(join(folder, kind, file), "utf8"));
  return { texts, bytes: texts.map((text) => new TextEncoder().encode(text)), objects: texts.map((text) => JSON.parse(text)) };
}

const valid = corpus("valid");
const invalid = corpus("invalid");
const engine = new Engine();
const checkout = new CheckoutEngine();
const { ajv, zod, valibot } = otherLibraries();

/** Returns a candidate that validates. Its verdicts on all bodies are checked before its time is measured. */
function validator(name, work, form = "texts") {
  const verdicts = [0, 0];
  for (const [bodies, expected] of [[valid, true], [invalid, false]]) {
    for (const body of bodies[form]) verdicts[work(body) === expected ? 0 : 1]++;
  }
  return { name, bodies: (name.endsWith("invalid") ? invalid : valid)[form], work, verdicts };
}

const JSON_VALID = '{"valid":true';
const isValid = (report) => report.valid;

const candidates = [
  { name: "JSON.parse", bodies: valid.texts, work: (text) => JSON.parse(text) },
  validator("JSON.parse + ajv, all errors: valid", (text) => ajv(JSON.parse(text))),
  validator("JSON.parse + zod: valid", (text) => zod(JSON.parse(text))),
  validator("JSON.parse + valibot: valid", (text) => valibot(JSON.parse(text))),
  validator("payspec, string → JSON string: valid", (text) => engine.validateRequestJson(text).startsWith(JSON_VALID)),
  validator("payspec, string → object: valid", (text) => isValid(engine.validateRequest(text))),
  validator("payspec, object → object: valid", (body) => isValid(engine.validateRequest(body)), "objects"),
  validator("payspec/checkout, object → object: valid", (body) => isValid(checkout.validateRequest(body)), "objects"),
  validator("ajv, all errors, of an object: valid", (body) => ajv(body), "objects"),
  validator("payspec, object → object: invalid", (body) => isValid(engine.validateRequest(body)), "objects"),
  validator("payspec/checkout, object → object: invalid", (body) => isValid(checkout.validateRequest(body)), "objects"),
  validator("ajv, all errors, of an object: invalid", (body) => ajv(body), "objects"),
  validator("payspec, verdict of a string: valid", (text) => engine.isValidRequest(text)),
  validator("payspec, verdict of bytes: valid", (body) => engine.isValidRequest(body), "bytes"),
  validator("JSON.parse + ajv, all errors: invalid", (text) => ajv(JSON.parse(text))),
  validator("JSON.parse + zod: invalid", (text) => zod(JSON.parse(text))),
  validator("JSON.parse + valibot: invalid", (text) => valibot(JSON.parse(text))),
  validator("payspec, string → JSON string: invalid", (text) => engine.validateRequestJson(text).startsWith(JSON_VALID)),
];

candidates.push({ name: "payspec, native verdict: valid", round: native.exports.round });
for (const [name, round] of firstCalls(short === "--short")) candidates.push({ name, round });
const rounds = measure(candidates, short === "--short");

const version = (name) => JSON.parse(readFileSync(join(fileURLToPath(new URL("node_modules", import.meta.url)), name, "package.json"), "utf8")).version;
const figures = candidates.map(({ name, verdicts }) => ({ name, rounds: rounds.get(name), verdicts }));
const versions = { "Node.js": process.version.slice(1), ...Object.fromEntries(["ajv", "valibot", "zod"].map((name) => [name, version(name)])) };
console.log(JSON.stringify({ figures, versions }));
