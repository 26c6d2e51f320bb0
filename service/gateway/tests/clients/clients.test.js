// Generates clients from the document of a running gateway, compiles them, and runs them. `cargo xtask test clients` builds
// the gateway, and installs the generators.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gateway } from "../../../../examples/checkout/tests/support.js";

const PRINTED = `201 idle 1500.00
409 idempotency_key_reused
200 true
422 amount_syntax /amount
200 RUB
401 unauthorized
`;
const here = dirname(fileURLToPath(import.meta.url));
const python = process.env.PAYSPEC_PYTHON;
if (!python) throw new Error("PAYSPEC_PYTHON is not set: cargo xtask test clients sets it");

const service = gateway({ page: false });
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "payspec-clients-"));
after(() => rmSync(folder, { recursive: true, force: true }));

for (const name of ["client.ts", "wrong.ts", "client.py", "models.py", "package.json"]) cpSync(join(here, name), join(folder, name));
symlinkSync(join(here, "node_modules"), join(folder, "node_modules"));

/** Writes the document of the gateway, and returns the address of the gateway with a token. Keys belong to a merchant. */
async function prepared(merchant) {
  const base = new URL(service.base).origin;
  const document = await fetch(`${base}/openapi.json`);
  writeFileSync(join(folder, "openapi.json"), await document.text());
  return [base, await service.run("token", "new", "--merchant", merchant, "--quiet")];
}

const program = (name) => join(here, "node_modules/.bin", name);

/** Runs a command in the folder. A failure contains its output. */
async function follow(file, ...words) {
  try {
    // openapi-python-client formats its output with ruff, which is in the same environment.
    const path = [dirname(python), process.env.PATH].join(delimiter);
    return (await run(file, words, { cwd: folder, env: { ...process.env, PATH: path, PYTHONDONTWRITEBYTECODE: "1" } })).stdout;
  } catch (error) {
    throw new Error(`${file}: ${error.stdout}${error.stderr}`);
  }
}

test("a client with the types of openapi-typescript compiles, and reads every answer", async () => {
  const connection = await prepared("typescript");
  await follow(program("openapi-typescript"), "openapi.json", "--output", "schema.d.ts");
  await follow(program("tsc"), "--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module", "nodenext", "--types", "node", "--lib", "es2023,dom", "client.ts", "wrong.ts");
  assert.equal(await follow(process.execPath, "client.js", ...connection), PRINTED);
});

test("a client of openapi-python-client is complete, and reads every answer", async () => {
  const connection = await prepared("python");
  await follow(python, "-m", "openapi_python_client", "generate", "--path", "openapi.json", "--meta", "none", "--output-path", "generated", "--fail-on-warning");
  assert.equal(await follow(python, "client.py", ...connection), PRINTED);
});

test("models of datamodel-code-generator check requests, and read every answer", async () => {
  const connection = await prepared("models");
  const model = ["--output-model-type", "pydantic_v2.BaseModel", "--formatters", "builtin"];
  await follow(python, "-m", "datamodel_code_generator", "--input", "openapi.json", "--input-file-type", "openapi", ...model, "--output", "schema.py");
  assert.equal(await follow(python, "models.py", ...connection), PRINTED);
});
