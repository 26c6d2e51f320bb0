// Compares `payspec/checkout` with the native library in the Python package, on mutated bodies, objects, and policies.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";

import { randomObject } from "./support/mutated_objects.mjs";
import { COUNT, bodies, damaged, mutate, nows, pick, policies, random, safe } from "./support/mutations.mjs";
import { folder, imported, outcome } from "./support/package.mjs";

/** The bodies that share an engine and a time. */
const GROUP = 50;

const page = await imported("checkout.js");

/** Starts the native library. Its function `ask` returns the answer to one line. */
function native() {
  const env = { ...process.env, PYTHONPATH: join(folder, "../bindings/python") };
  const child = spawn("python3", [join(folder, "tests/support/native.py")], { env, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (question) => {
    child.stdin.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await lines.next();
    assert.ok(!done, "the native library has ended");
    return value;
  };
  return { ask, end: () => child.stdin.end() };
}

/** The kinds of bodies: one of them, its bytes for the native library, and its report by the page as text. */
const KINDS = {
  texts: {
    make: () => {
      const text = mutate(pick(bodies));
      return random(4) ? Buffer.from(text) : damaged(text);
    },
    bytes: (body) => body,
    report: (engine, body, options) => engine.validateRequestJson(body, options),
  },
  objects: {
    make: randomObject,
    bytes: JSON.stringify,
    report: (engine, body, options) => JSON.stringify(engine.validateRequest(body, options)),
  },
};

/** Returns the reports of the page on bodies, in the form of support/native.py. */
const reports = (policy, now, each, report) =>
  outcome(page, () => {
    const engine = new page.Engine(policy);
    try {
      return `[${each.map((body) => report(engine, body, { now })).join()}]`;
    } finally {
      engine.free();
    }
  });

/** Compares the reports of a group. A difference is shown by violation. */
async function compare(found, asked, about) {
  const expected = await asked;
  if (found !== expected) assert.deepEqual(JSON.parse(found), JSON.parse(expected), about());
  assert.equal(found, expected);
}

for (const [kind, { make, bytes, report }] of Object.entries(KINDS)) {
  test(`native: ${COUNT} mutated ${kind} in ${COUNT / GROUP} engines have the same reports as in the native library`, async () => {
    const { ask, end } = native();
    try {
      // Both libraries work at the same time: this process makes a group while the other one has the previous group.
      let previous;
      for (let count = 0; count < COUNT; count += GROUP) {
        const policy = random(2) ? undefined : safe(random(2) ? mutate(pick(policies)) : pick(policies));
        const now = pick(nows);
        const each = Array.from({ length: GROUP }, make);
        const texts = each.map((body) => Buffer.from(bytes(body)).toString("base64"));
        const asked = ask({ policy: policy === undefined ? null : JSON.stringify(policy), now: now ?? null, bodies: texts });
        await previous;
        previous = compare(reports(policy, now, each, report), asked, () => `${count}: ${JSON.stringify([policy, now, texts])}`);
      }
      await previous;
    } finally {
      end();
    }
  });
}
