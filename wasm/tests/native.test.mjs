// Compares `payspec/checkout` with the native library in the Python package, on mutated bodies and policies.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";

import { COUNT, bodies, damaged, mutate, nows, pick, policies, random, safe } from "./support/mutations.mjs";
import { folder, imported, outcome } from "./support/package.mjs";

/** The bodies that share an engine. */
const GROUP = 50;

const page = await imported("checkout.js");
const encoder = new TextEncoder();

/** Starts the native library. Its function `ask` returns the answer to one line. */
function native() {
  const env = { ...process.env, PYTHONPATH: join(folder, "../bindings/python") };
  const child = spawn("python3", [join(folder, "tests/support/native.py")], { env, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (question) => {
    child.stdin.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await lines.next();
    assert.ok(!done, "the native library has ended");
    return JSON.parse(value);
  };
  return { ask, end: () => child.stdin.end() };
}

/** Returns the answers of the page for a group, in the form of support/native.py. */
function answers({ policy, calls }) {
  const engine = outcome(page, () => new page.Engine(policy === null ? undefined : JSON.parse(policy)));
  if (typeof engine === "string") return engine;
  const reports = calls.map(([body, now]) => outcome(page, () => engine.validateRequestJson(Buffer.from(body, "base64"), { now: now ?? undefined })));
  engine.free();
  return reports;
}

test(`native: ${COUNT} mutated bodies in ${COUNT / GROUP} engines have the same answers as in the native library`, async () => {
  const { ask, end } = native();
  try {
    for (let count = 0; count < COUNT; count += GROUP) {
      const object = random(2) ? undefined : safe(random(2) ? mutate(pick(policies)) : pick(policies));
      const policy = object === undefined ? null : JSON.stringify(object);
      const calls = Array.from({ length: GROUP }, () => {
        const text = mutate(pick(bodies));
        const bytes = random(4) ? encoder.encode(text) : damaged(text);
        return [Buffer.from(bytes).toString("base64"), pick(nows) ?? null];
      });
      const group = { policy, calls };
      const [one, other] = [answers(group), await ask(group)];
      assert.deepEqual(one, other, `${count}: ${JSON.stringify(group)}`);
    }
  } finally {
    end();
  }
});
