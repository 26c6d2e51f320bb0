// The shared vectors as TypeScript: each call of the object form with its answer as a literal of the call's type.

import { readFileSync, readdirSync } from "node:fs";

const VECTORS = new URL("../../../tests/vectors/", import.meta.url);

/** The operations, one folder each. */
export function operations() {
  return readdirSync(VECTORS).sort();
}

/** The inputs of each operation as expressions. A text with any content has the type of a body. */
const CALLS = {
  validate_request: ([body, now], accepted) => [accepted ? object(body) : text(body), `{ now: ${text(now)} }`],
  create_payment: ([body, context]) => [text(body), object(context)],
  check_payment: ([body, request], accepted) => [accepted ? object(body) : text(body), `{ request: ${text(request)} }`],
  authorize: ([header]) => [text(header)],
  idempotency_key: ([header]) => [text(header)],
  ...each(["sign_webhook", "verify_webhook"], ([body, context]) => [text(body), object(context)]),
  upgrade_request: ([kind, body]) => [text(kind), object(body)],
  card_info: ([digits]) => [text(digits)],
  redact_text: ([line]) => [text(line)],
  locate: ([body, pointer]) => [text(body), text(pointer)],
  ...each(["field_currencies", "fingerprint_request"], ([body]) => [text(body)]),
  ...each(
    ["downgrade_request", "upgrade_balance", "downgrade_balance", "upgrade_payment", "downgrade_payment", "redact"],
    ([body]) => [object(body)]),
  ...each(
    ["read_payment", "read_balance", "convert", "advance_payment", "check_transition", "check_idempotency", "compare_policies"],
    ([context]) => [object(context)],
  ),
  ...each(["states", "rules", "decisions", "openapi"], () => []),
};

function each(names, inputs) {
  return Object.fromEntries(names.map((name) => [name, inputs]));
}

/** Returns a module with all calls of an operation, and the number of its answers. */
export function callsOf(operation) {
  const method = operation.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  const lines = [
    'import { Engine } from "payspec";',
    'import type { PayspecErrorCode, Policy } from "payspec";',
    "declare const engine: Engine;",
    "interface CallerError { error: { code: PayspecErrorCode; path: string; message: string } }",
  ];
  const policies = new Set();
  let answers = 0;
  const folder = new URL(`${operation}/`, VECTORS);
  for (const file of readdirSync(folder).sort()) {
    for (const vector of JSON.parse(readFileSync(new URL(file, folder), "utf8")).vectors) {
      const isText = operation === "redact_text" && vector.returns >= 0;
      const answer = isText ? vector.answer : JSON.parse(vector.answer);
      lines.push(`// ${vector.name}`.replace(/[\r\n\u2028\u2029]/g, " "));
      if (vector.policy !== undefined && !(vector.returns < 0 && answer.error.code === "policy")) policies.add(vector.policy);
      answers += 1;
      if (vector.returns < 0) {
        lines.push(`const a${answers}: CallerError = ${literal(answer)};`);
        continue;
      }
      const inputs = CALLS[operation](vector.inputs, vector.returns === 0);
      lines.push(`const c${answers} = engine.${method}(${inputs.join(", ")});`);
      lines.push(`const a${answers}: typeof c${answers} = ${literal(answer)};`);
    }
  }
  for (const policy of policies) lines.push(`const p${lines.length}: Policy = ${literal(JSON.parse(policy))};`);
  lines.push("export {};");
  return { text: lines.join("\n") + "\n", answers };
}

/** Returns an input as an expression: a string, bytes, or undefined if it is missing. */
function text(input) {
  if (input === null || input === undefined) return "undefined";
  return typeof input === "string" ? JSON.stringify(input) : "new Uint8Array()";
}

/** Returns an input as the object that its JSON represents; an input that is not a JSON object remains a text. */
function object(input) {
  let value;
  try {
    value = JSON.parse(input);
  } catch {
    return text(input);
  }
  return value !== null && typeof value === "object" && !Array.isArray(value) ? literal(value) : text(input);
}

/** Returns a value as an expression. `__proto__` would set the prototype if it were not computed. */
function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const name = (key) => (key === "__proto__" ? '["__proto__"]' : JSON.stringify(key));
  return `{${Object.entries(value).map(([key, own]) => `${name(key)}:${literal(own)}`).join(",")}}`;
}
