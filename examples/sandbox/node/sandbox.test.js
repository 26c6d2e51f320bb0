// Tests of the helper itself.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Merchant, merchantName, startSandbox } from "./sandbox.js";

test("the sandbox ends with a script that throws", async () => {
  const script = `
    import { startSandbox } from ${JSON.stringify(new URL("sandbox.js", import.meta.url))};
    console.log((await startSandbox()).api);
    throw new Error("of the script");
  `;
  // Ends when the sandbox too has closed the standard error that it inherits.
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module"], { input: script, encoding: "utf8", timeout: 30_000 });
  assert.equal(status, 1);
  assert.match(stderr, /Error: of the script/);
  await assert.rejects(fetch(stdout.trim()), TypeError);
});

test("merchants of other alphabets and of long names differ", () => {
  for (const name of ["test_success", "a".repeat(64), "a-b.c"]) assert.equal(merchantName(name), name);
  const names = ["Оплата", "Отмена", "支払い", "支払う", "a b", "a-b", "a_b", "", `${"a".repeat(64)}1`, `${"a".repeat(64)}2`].map(merchantName);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[A-Za-z0-9_.-]{1,64}$/);
});

test("a missing program is named", async () => {
  process.env.PAYSPEC = "/nonexistent/payspec";
  await assert.rejects(startSandbox(), { message: "PAYSPEC: cannot start /nonexistent/payspec: ENOENT" });
  delete process.env.PAYSPEC;
  process.env.PATH = "/nonexistent";
  await assert.rejects(startSandbox(), { message: "payspec is not on the PATH: cargo install --path cli --locked, or set PAYSPEC to the program" });
});

test("the readme lists all members", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const rows = readme.split("ANCHOR")[1].split("\n").filter((line) => line.startsWith("| `"));
  const listed = rows.map((line) => line.split("|")[2].match(/`(\w+)/)[1]);
  assert.deepEqual(listed.sort(), Object.keys(new Merchant("", {})).sort());
});
