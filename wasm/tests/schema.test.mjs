// Tests the schema of requests (Standard Schema v1), and the examples of the book with the libraries that use it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { initTRPC } from "@trpc/server";

import { bodies, mutate, pick, safe } from "./support/mutations.mjs";
import { imported, pkg } from "./support/package.mjs";

const folder = fileURLToPath(new URL("schema", import.meta.url));
const BODY = { payment_type: "pay_in", mode: "P2P", subtype: "sbp", cur: "RUB", amount: "990.50" };
const SCALE = "the currency has 2 fraction digits";

/** Returns an example, whose imports are those of a program with the package. */
const example = (name) => import(join(folder, name));

before(() => {
  const installed = join(folder, "../../node_modules/payspec");
  rmSync(installed, { force: true, recursive: true });
  symlinkSync(pkg, installed, "dir");
});

for (const file of ["index.js", "checkout.js"]) {
  const { Engine } = await imported(file);
  const engine = new Engine();
  const { validate } = engine.requestSchema["~standard"];

  test(`${file}: the schema has the form of the standard`, () => {
    const { version, vendor } = engine.requestSchema["~standard"];
    assert.deepEqual([version, vendor, engine.requestSchema], [1, "payspec", engine.requestSchema]);
    assert.equal(engine.requestSchema, engine.requestSchema, "the same object, as a dependency of a hook");
    assert.deepEqual(validate(BODY), { value: BODY });
    assert.equal(validate(BODY).value, BODY);
    assert.deepEqual(validate({ ...BODY, colour: 1 }).issues, undefined, "a warning is not an issue");
    assert.deepEqual(validate({ ...BODY, amount: "1.001" }), { issues: [{ message: SCALE, path: ["amount"] }] });
    const card = { card_number: "4111111111111112" };
    assert.deepEqual(validate({ ...BODY, pay_in_details: { card } }).issues[0].path, ["pay_in_details", "card", "card_number"]);
    const localized = new Engine({ severity: { unknown_member: "error" } }, { messages: { unknown_member: () => "?" } });
    assert.deepEqual(localized.requestSchema["~standard"].validate({ ...BODY, "a/b~c": 1 }).issues, [{ message: "?", path: ["a/b~c"] }]);
  });

  test(`${file}: any value has a result`, () => {
    for (const value of [undefined, null, 5, "", JSON.stringify(BODY), new TextEncoder().encode(JSON.stringify(BODY)), [], true]) {
      const [{ path, message }, ...rest] = validate(value).issues;
      assert.deepEqual([path, rest], [[], []]);
      assert.match(message, /expected object/);
    }
    for (const [value, path] of [[{ amount: 5n }, ["amount"]], [new Map(), []], [Symbol("x"), []], [{ get cur() { throw new Error("secret"); } }, ["cur"]]]) {
      assert.deepEqual(validate(value), { issues: [{ message: "expected a value that JSON can represent", path }] });
    }
    const freed = new Engine();
    freed.free();
    assert.throws(() => freed.requestSchema["~standard"].validate(BODY), { code: "argument", path: "/engine" });
  });

  test(`${file}: the issues are the errors of the report`, () => {
    for (let round = 0; round < 2000; round++) {
      const value = safe(mutate(pick(bodies)));
      if (typeof value !== "object" || value === null) continue;
      let errors;
      try {
        errors = engine.validateRequest(value).violations.filter(({ severity }) => severity === "error");
      } catch {
        // A value that JSON cannot represent has the one issue that the test above checks.
        continue;
      }
      const issues = validate(value).issues ?? [];
      assert.deepEqual(issues.map(({ message }) => message), errors.map(({ message }) => message));
      const pointer = ({ path }) => path.map((key) => `/${key.replace(/~/g, "~0").replace(/\//g, "~1")}`).join("");
      assert.deepEqual(issues.map(pointer), errors.map(({ path }) => path));
    }
  });
}

test("the types are those of the standard", () => {
  const tsc = join(folder, "../../node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "--noEmit", "--strict", "--module", "nodenext", "--types", "", "--lib", "es2022,dom", join(folder, "types.ts")], { stdio: "inherit" });
});

test("react-hook-form: the resolver returns values or errors", async () => {
  const { resolver } = await example("react-hook-form.js");
  const options = { fields: {}, shouldUseNativeValidation: false };
  assert.deepEqual(await resolver(BODY, undefined, options), { values: BODY, errors: {} });
  const { errors } = await resolver({ ...BODY, amount: "1.001", pay_in_details: { card: { expiry_month: 13 } } }, undefined, options);
  assert.equal(errors.amount.message, SCALE);
  assert.equal(errors.pay_in_details.card.expiry_month.message, "the month must be 1 to 12");
});

test("TanStack Form: the fields have the messages", async () => {
  const { form } = await example("tanstack-form.js");
  form.mount();
  form.setFieldValue("amount", "1.001");
  await form.validate("change");
  assert.equal(form.state.isValid, false);
  assert.equal(form.getFieldMeta("amount").errorMap.onChange[0].message, SCALE);
  form.setFieldValue("amount", "1.00");
  await form.validate("change");
  assert.equal(form.state.isValid, true);
});

test("Hono: an invalid request is answered with 400", async () => {
  const { app } = await example("hono.js");
  const post = (body) => app.request("/orders", { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });
  const [accepted, refused] = [await post(BODY), await post({ ...BODY, amount: "1.001" })];
  assert.deepEqual([accepted.status, await accepted.json()], [200, { accepted: "990.50 RUB" }]);
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), new RegExp(SCALE));
});

test("tRPC: an invalid input is a BAD_REQUEST", async () => {
  const { orders } = await example("trpc.js");
  const caller = initTRPC.create().createCallerFactory(orders)({});
  assert.equal(await caller.create(BODY), "990.50 RUB");
  await assert.rejects(caller.create({ ...BODY, amount: "1.001" }), (error) => error.code === "BAD_REQUEST" && error.message.includes(SCALE));
});
