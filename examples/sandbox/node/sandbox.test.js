// Tests of the helper itself.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Merchant, startSandbox } from "./sandbox.js";

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
