// Tests `payspec/sandbox` from its source. PAYSPEC_CLI names the program.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createSandbox as refuse } from "../../js/sandbox.entry.js";
import { SandboxError, createSandbox } from "../../js/sandbox.node.entry.js";
import { Merchant, merchantName } from "../../js/sandbox/merchant.js";
import { find } from "../../js/sandbox/program.js";

const MODULE = JSON.stringify(new URL("../../js/sandbox.node.entry.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "payspec-sandbox-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script, which ends when the sandbox too has closed the standard error that it inherits. */
function script(text) {
  const input = `import { createSandbox } from ${MODULE};\n${text}`;
  return spawnSync(process.execPath, ["--input-type=module"], { input, encoding: "utf8", timeout: 30_000 });
}

/** Writes an executable file. */
function executable(path, text) {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

/** Calls a function with other variables and another folder. */
function within(cwd, variables, call) {
  const [env, before] = [process.env, process.cwd()];
  process.env = { ...env, ...variables };
  process.chdir(cwd);
  try {
    return call();
  } finally {
    process.env = env;
    process.chdir(before);
  }
}

test("a payment is completed, and close ends the program", async () => {
  const sandbox = await createSandbox({ cli: process.env.PAYSPEC_CLI });
  const headers = { authorization: `Bearer ${sandbox.token}`, "content-type": "application/json" };
  const body = JSON.stringify({ payment_type: "pay_in", mode: "P2P", subtype: "sbp", cur: "RUB", amount: "7001" });
  const { uid } = await (await fetch(`${sandbox.api}/v1/payments/new`, { method: "POST", headers, body })).json();
  await sandbox.advance(2);
  const [payment, ...others] = await sandbox.payments();
  assert.deepEqual([payment.uid, payment.state, others], [uid, "completed", []]);
  assert.match(sandbox.webhookSecret, /^whsec_/);
  const merchant = await sandbox.merchant("Оплата");
  assert.deepEqual(await merchant.payments(), [], "a merchant of its own");
  assert.equal(await merchant.now(), await merchant.advance(0), "its clock is stopped");
  await assert.rejects(merchant.failNext({ status: 200 }), new SandboxError("status: expected an integer from 400 to 599"));
  await sandbox.nextPayment("challenge");
  const challenged = await (await fetch(`${sandbox.api}/v1/payments/new`, { method: "POST", headers, body })).json();
  await sandbox.advance(1);
  assert.equal(await sandbox.answerChallenge(challenged.uid, "passed"), "completed");
  await sandbox.close();
  await sandbox.close();
  await assert.rejects(sandbox.now(), TypeError);
});

test("await using ends the program, and so does a script that throws or forgets it", async () => {
  for (const [text, status] of [
    ["console.log(sandbox.api); await sandbox[Symbol.asyncDispose]();", 0],
    ["console.log(sandbox.api);", 0],
    ["console.log(sandbox.api); throw new Error('of the script');", 1],
  ]) {
    const ended = script(`const sandbox = await createSandbox();\n${text}`);
    assert.equal(ended.status, status, ended.stderr);
    await assert.rejects(fetch(ended.stdout.trim()), TypeError);
  }
});

test("finds the program by the option, the variable, the package, and the PATH", () => {
  const package_ = join(folder, "project/node_modules/payspec-cli");
  const platform = `@payspec/cli-${process.platform}-${process.arch}`;
  mkdirSync(package_, { recursive: true });
  writeFileSync(join(package_, "package.json"), "{}");
  const installed = executable(join(package_, "node_modules", platform, "bin/payspec"), "");
  const onPath = executable(join(folder, "bin/payspec"), "#!/bin/sh\n");
  const project = join(folder, "project");
  const variables = { PAYSPEC_CLI: "/named", PATH: join(folder, "bin") };
  assert.deepEqual(within(project, variables, () => find("/option")), ["/option", "the option cli"]);
  assert.deepEqual(within(project, variables, find), ["/named", "PAYSPEC_CLI"]);
  assert.deepEqual(within(project, { ...variables, PAYSPEC_CLI: "" }, find), [installed, "payspec-cli"]);
  assert.deepEqual(within(folder, { ...variables, PAYSPEC_CLI: "" }, find), [onPath, "PATH"]);
});

test("starts no launcher that would download the program", () => {
  for (const text of ["--package=payspec-cli@0.1.0", 'exec node "$basedir/../payspec/payspec.cjs"', "from payspec._command_line import main"]) {
    executable(join(folder, "launchers/payspec"), `#!/bin/sh\n${text}\n`);
    assert.throws(() => within(folder, { PAYSPEC_CLI: "", PATH: join(folder, "launchers") }, find), SandboxError);
  }
});

test("a program that is missing or does not start is named", async () => {
  const message = "the program payspec is missing: npm install --save-dev payspec-cli; or name its path by the option cli or the "
    + "variable PAYSPEC_CLI; or add it to the PATH, such as by cargo install --path cli --locked";
  assert.throws(() => within(folder, { PAYSPEC_CLI: "", PATH: "/nonexistent" }, find), { name: "SandboxError", message });
  await assert.rejects(createSandbox({ cli: "/nonexistent" }), { name: "SandboxError", message: "the option cli: cannot start /nonexistent: ENOENT" });
  const other = executable(join(folder, "other"), "#!/bin/sh\nexit 3\n");
  await assert.rejects(createSandbox({ cli: other }), { message: `the option cli: ${other} sandbox ended with status 3` });
  await assert.rejects(createSandbox({ path: other }), { name: "TypeError", message: 'unknown option "path": expected cli' });
  await assert.rejects(refuse(), { name: "SandboxError", message: /^payspec\/sandbox starts the program payspec: import it in Node\.js/ });
});

test("merchants of other alphabets and of long names differ", () => {
  for (const name of ["test_success", "a".repeat(64), "a-b.c"]) assert.equal(merchantName(name), name);
  const names = ["Оплата", "Отмена", "支払い", "支払う", "a b", "a-b", "a_b", "", `${"a".repeat(64)}1`, `${"a".repeat(64)}2`].map(merchantName);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[A-Za-z0-9_.-]{1,64}$/);
});

test("the readme of the examples and the types list all members", () => {
  const members = [...Object.keys(new Merchant("", {})), ...Object.getOwnPropertyNames(Merchant.prototype)].filter((name) => name !== "constructor").sort();
  const readme = readFileSync(new URL("../../../examples/sandbox/README.md", import.meta.url), "utf8");
  const rows = readme.split("ANCHOR")[1].split("\n").filter((line) => line.startsWith("| `"));
  assert.deepEqual(rows.map((line) => line.split("|")[2].match(/`(\w+)/)[1]).sort(), members);
  const types = readFileSync(new URL("../../types/sandbox.d.ts", import.meta.url), "utf8");
  const declared = types.split("export interface Merchant {")[1].split("\n}")[0];
  assert.deepEqual([...declared.matchAll(/^  (?:readonly )?(\w+)[:(]/gm)].map(([, name]) => name).sort(), members);
});
