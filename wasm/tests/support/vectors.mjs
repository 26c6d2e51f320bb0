// The shared vectors, and one call of each through the package. Runs in Node and in a page.

/** The return code of the C API for each code of a PayspecError. */
const RETURNS = { argument: -1, utf8: -2, panic: -3, context: -4, policy: -5 };

const encoder = new TextEncoder();

/** `validate_request` → `validateRequest`. */
export const camel = (operation) => operation.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

/** Returns `payspec/card` as an entry with an engine, for `runVectors`. */
export const withEngine = ({ PayspecError, ...functions }) => ({
  PayspecError,
  Engine: class {
    cardInfo = functions.cardInfo;
    cardInfoJson = functions.cardInfoJson;
    free() {}
  },
});

/** The ways to make a call. */
const FORMS = {
  /** The JSON form, of strings. */
  json: (engine, operation, inputs) => engine[`${camel(operation)}Json`](...inputs.map(text)),
  /** The JSON form, of bytes. */
  bytes: (engine, operation, inputs) => engine[`${camel(operation)}Json`](...inputs.map(bytes)),
  /** The object form: an object for each input that an object represents exactly, an object out. */
  object: (engine, operation, inputs, answer) => objects(engine, operation, inputs, answer),
};

/**
 * Runs all vectors of the given operations.
 * @returns {{passed: number, failures: string[], objects: number}} `objects`: the number of vectors called with an object
 */
export function runVectors({ Engine, PayspecError }, files, form, operations) {
  const engines = new Map();
  const result = { passed: 0, failures: [], objects: 0 };
  for (const { operation, vectors } of files) {
    if (operations && !operations.includes(operation)) continue;
    for (const vector of vectors) {
      let problem;
      try {
        problem = difference(Engine, PayspecError, engines, operation, vector, form, result);
      } catch (error) {
        problem = `threw ${error.stack}`;
      }
      if (problem) result.failures.push(`${vector.name}: ${problem}`);
      else result.passed++;
    }
  }
  for (const engine of engines.values()) engine.free();
  return result;
}

/** Operations whose first input is a body. */
export const WITH_BODY = [
  "validate_request", "create_payment", "check_payment", "field_currencies", "fingerprint_request",
  "downgrade_request", "upgrade_balance", "downgrade_balance", "upgrade_payment", "downgrade_payment", "redact", "sign_webhook", "verify_webhook", "locate",
];

/**
 * Runs the vectors of operations with a body in batches of the same policy and second input, in both forms, and compares
 * the answers with those of the vectors.
 * @returns {{passed: number, failures: string[], batches: number}}
 */
export function runBatches({ Engine, PayspecError }, files) {
  const batches = new Map();
  for (const { operation, vectors } of files.filter(({ operation }) => WITH_BODY.includes(operation))) {
    for (const vector of vectors) {
      const [body, second, ...more] = vector.inputs;
      if (body == null || more.length > 0 || (vector.policy !== undefined && !isJson(vector.policy))) continue;
      const key = JSON.stringify([operation, vector.policy, second ?? null]);
      if (!batches.has(key)) batches.set(key, { operation, policy: vector.policy, second: text(second), vectors: [] });
      batches.get(key).vectors.push(vector);
    }
  }
  const result = { passed: 0, failures: [], batches: 0 };
  for (const { operation, policy, second, vectors } of batches.values()) {
    const bodies = vectors.map(({ inputs }) => text(inputs[0]));
    let texts;
    let objects;
    try {
      const engine = new Engine(policy === undefined ? undefined : JSON.parse(policy));
      texts = engine.batchJson(camel(operation), bodies, second);
      objects = engine.batch(camel(operation), bodies, operation === "check_payment" && second !== undefined ? { request: second } : second);
      engine.free();
    } catch (error) {
      if (!(error instanceof PayspecError)) throw error;
      // The second input is invalid, so each single call fails in the same way.
      const { code, path, expected: message } = error;
      texts = bodies.map(() => JSON.stringify({ error: { code, path, message } }));
      objects = texts.map((text) => JSON.parse(text));
    }
    result.batches++;
    for (const [index, { name, answer }] of vectors.entries()) {
      if (texts[index] !== answer) result.failures.push(`${name}: answered ${texts[index]}`);
      else if (!same(objects[index], JSON.parse(answer))) result.failures.push(`${name}: answered ${JSON.stringify(objects[index])}`);
      else result.passed++;
    }
    if (texts.length !== bodies.length || objects.length !== bodies.length) result.failures.push(`${operation}: another number of answers`);
  }
  return result;
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the difference between the answer and that of the vector; undefined if they are equal. */
function difference(Engine, PayspecError, engines, operation, vector, form, result) {
  const { inputs, policy, returns, answer } = vector;
  let parsed;
  try {
    parsed = policy === undefined ? undefined : JSON.parse(policy);
  } catch {
    // A policy is a plain object here, so one that is not JSON does not reach the library. The core rejects it too.
    return returns === RETURNS.policy ? undefined : "a policy that is not JSON";
  }
  let found;
  let number;
  try {
    // One engine for all calls under a policy: a previous call must not influence the next.
    if (!engines.has(policy)) engines.set(policy, new Engine(parsed));
    const engine = engines.get(policy);
    found = FORMS[form](engine, operation, inputs, answer);
    if (form === "object") {
      result.objects += found.objects;
      const expected = operation === "redact_text" ? answer : JSON.parse(answer);
      if (!same(found.answer, expected)) return `answered ${JSON.stringify(found.answer)}`;
      found = answer;
    }
    if (operation === "validate_request") {
      number = engine.isValidRequest(text(inputs[0]), { now: text(inputs[1]) }) ? 0 : 1;
    }
  } catch (error) {
    if (!(error instanceof PayspecError)) throw error;
    const { code, path, expected: message } = error;
    number = RETURNS[code];
    found = JSON.stringify({ error: { code, path, message } });
  }
  if (found !== answer) return `answered ${found}`;
  if (number === undefined && returns < 0) return "did not throw";
  if (number !== undefined && number !== returns) return `returned ${number}, not ${returns}`;
  return undefined;
}

/** Calls the object form of an operation, whose optional inputs are members of the options. */
function objects(engine, operation, inputs, answer) {
  let objects = 0;
  const value = (input) => {
    const object = asObject(input, answer);
    objects += object === undefined ? 0 : 1;
    return object === undefined ? text(input) : object;
  };
  const [first, second] = inputs;
  const call = {
    validate_request: () => engine.validateRequest(value(first), { now: text(second) }),
    check_payment: () => engine.checkPayment(value(first), { request: value(second) }),
    upgrade_request: () => engine.upgradeRequest(text(first), value(second)),
    authorize: () => engine.authorize(text(first)),
    card_info: () => engine.cardInfo(text(first)),
    idempotency_key: () => engine.idempotencyKey(text(first)),
    // Their answers depend on the bytes of the body, which differ in the JSON of an object.
    sign_webhook: () => engine.signWebhook(text(first), value(second)),
    verify_webhook: () => engine.verifyWebhook(text(first), value(second)),
    redact_text: () => engine.redactText(text(first)),
    locate: () => engine.locate(text(first), text(second)),
  }[operation];
  const found = call ? call() : engine[camel(operation)](...inputs.map(value));
  return { answer: found, objects: Math.min(objects, 1) };
}

/** Returns the value of a JSON text if JSON.stringify returns the same JSON, otherwise undefined. */
function asObject(input, answer) {
  if (typeof input !== "string") return undefined;
  let value;
  try {
    value = JSON.parse(input);
  } catch {
    return undefined;
  }
  // A string would be read as JSON text.
  if (value === null || typeof value === "string") return undefined;
  const again = JSON.stringify(value);
  // Repeated members, numbers in another notation, and the order of numeric keys are lost. Whitespace and escapes differ
  // too, which matters if the answer contains positions or lengths.
  const hasPositions = /"code":"(json_syntax|body_too_large)"/.test(answer);
  return again === (hasPositions ? input : plain(input)) ? value : undefined;
}

/** Returns a JSON text without whitespace, with the shortest escapes in strings. */
function plain(json) {
  return json.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (token) => (token[0] === '"' ? JSON.stringify(JSON.parse(token)) : ""));
}

/** Returns an input as a string, or as bytes if it is not UTF-8. */
function text(input) {
  if (input === null || input === undefined) return undefined;
  return typeof input === "string" ? input : bytes(input);
}

function bytes(input) {
  if (input === null || input === undefined) return undefined;
  if (typeof input === "string") return encoder.encode(input);
  return Uint8Array.from(input.hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Returns whether two values are the same JSON: plain objects, the same members in the same order. */
function same(one, two) {
  if (typeof one !== "object" || one === null || two === null) return one === two;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(two)) return false;
  const keys = Object.keys(one);
  const others = Object.keys(two);
  return keys.length === others.length && keys.every((key, index) => key === others[index] && same(one[key], two[key]));
}
