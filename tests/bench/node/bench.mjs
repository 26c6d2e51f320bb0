// The npm package beside JSON.parse, ajv, zod and valibot, in one run, as JSON for `cargo xtask bench`.
// node bench.mjs ADDON [--short], where ADDON is what `native` was built to: the native verdict.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { Engine } from "../../../wasm/pkg/index.js";
import { measure } from "./clock.mjs";
import { peers } from "./schemas.mjs";

const [addon, short] = process.argv.slice(2);
const native = { exports: {} };
process.dlopen(native, addon);
const folder = fileURLToPath(new URL("../corpus", import.meta.url));

/** Texts, bytes and objects of the same bodies. */
function corpus(kind) {
  const texts = readdirSync(join(folder, kind)).sort().map((file) => readFileSync(join(folder, kind, file), "utf8"));
  return { texts, bytes: texts.map((text) => new TextEncoder().encode(text)), objects: texts.map((text) => JSON.parse(text)) };
}

const valid = corpus("valid");
const invalid = corpus("invalid");
const engine = new Engine();
const { ajv, zod, valibot } = peers();

/** One that knows the rules: it is asked about all bodies before its time counts. */
function judge(name, work, form = "texts") {
  const verdicts = [0, 0];
  for (const [bodies, expected] of [[valid, true], [invalid, false]]) {
    for (const body of bodies[form]) verdicts[work(body) === expected ? 0 : 1]++;
  }
  return { name, bodies: (name.endsWith("invalid") ? invalid : valid)[form], work, verdicts };
}

const JSON_VALID = '{"valid":true';
const isValid = (report) => report.valid;

const contenders = [
  { name: "JSON.parse", bodies: valid.texts, work: (text) => JSON.parse(text) },
  judge("JSON.parse + ajv, all errors: valid", (text) => ajv(JSON.parse(text))),
  judge("JSON.parse + zod: valid", (text) => zod(JSON.parse(text))),
  judge("JSON.parse + valibot: valid", (text) => valibot(JSON.parse(text))),
  judge("payspec, string → JSON string: valid", (text) => engine.validateRequestJson(text).startsWith(JSON_VALID)),
  judge("payspec, string → object: valid", (text) => isValid(engine.validateRequest(text))),
  judge("payspec, object → object: valid", (body) => isValid(engine.validateRequest(body)), "objects"),
  judge("payspec, verdict of a string: valid", (text) => engine.isValidRequest(text)),
  judge("payspec, verdict of bytes: valid", (body) => engine.isValidRequest(body), "bytes"),
  judge("JSON.parse + ajv, all errors: invalid", (text) => ajv(JSON.parse(text))),
  judge("JSON.parse + zod: invalid", (text) => zod(JSON.parse(text))),
  judge("JSON.parse + valibot: invalid", (text) => valibot(JSON.parse(text))),
  judge("payspec, string → JSON string: invalid", (text) => engine.validateRequestJson(text).startsWith(JSON_VALID)),
];

contenders.push({ name: "payspec, native verdict: valid", round: native.exports.round });
const rounds = measure(contenders, short === "--short");

const version = (name) => JSON.parse(readFileSync(join(fileURLToPath(new URL("node_modules", import.meta.url)), name, "package.json"), "utf8")).version;
const figures = contenders.map(({ name, verdicts }) => ({ name, rounds: rounds.get(name), verdicts }));
const versions = { "Node.js": process.version.slice(1), ...Object.fromEntries(["ajv", "valibot", "zod"].map((name) => [name, version(name)])) };
console.log(JSON.stringify({ figures, versions }));
