// Generates clients from the document of a running gateway, compiles them, and runs them. `cargo xtask test clients` builds
// the gateway, and installs the generators.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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

for (const name of ["client.ts", "wrong.ts", "client.py", "client.php", "Client.java", "models.py", "package.json"]) cpSync(join(here, name), join(folder, name));
symlinkSync(join(here, "node_modules"), join(folder, "node_modules"));

/** Writes the document of the gateway, and returns the address of the gateway with a token. Keys belong to a merchant. */
async function prepared(merchant) {
  const base = new URL(service.base).origin;
  const document = await fetch(`${base}/openapi.json`);
  writeFileSync(join(folder, "openapi.json"), await document.text());
  return [base, await service.run("token", "new", "--merchant", merchant, "--quiet")];
}

const program = (name) => join(here, "node_modules/.bin", name);

/** Runs a command in the folder, and returns what it prints. A failure contains its output. */
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

/** Returns the files of a folder below that of the clients, with this ending. */
const files = (name, ending) => readdirSync(join(folder, name), { recursive: true }).filter((file) => file.endsWith(ending)).map((file) => join(name, file));

/** Generates the clients of openapi-generator in one process, which takes seconds to start, and returns its jar. */
let generated;
const openapiGenerator = () => generated ??= (async () => {
  const unused = { apiDocs: "false", modelDocs: "false", apiTests: "false", modelTests: "false" };
  const shared = { inputSpec: "openapi.json", globalProperties: unused };
  // The library `native` needs nothing but Jackson, which the jar contains.
  const java = { generatorName: "java", outputDir: "java", additionalProperties: { library: "native", openApiNullable: "false" } };
  writeFileSync(join(folder, "php.json"), JSON.stringify({ ...shared, generatorName: "php", outputDir: "php" }));
  writeFileSync(join(folder, "java.json"), JSON.stringify({ ...shared, ...java }));
  const jar = await follow(python, "-c", "import importlib.resources as r; print(r.files('openapi_generator_cli') / 'openapi-generator.jar', end='')");
  const log = await follow("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", jar, "batch", "php.json", "java.json");
  // A collision: two tags, schemas, or operations have the same name, and one replaces the other.
  assert.doesNotMatch(log, /ERROR|COLLISION|inline_object|InlineObject/);
  return jar;
})();

test("a client of openapi-generator in PHP is complete, and reads every answer", async () => {
  const connection = await prepared("php");
  await openapiGenerator();
  for (const file of files("php/lib", ".php")) await follow("php", "-l", file);
  assert.equal(await follow("php", "-d", "error_reporting=-1", "client.php", ...connection), PRINTED);
});

test("a client of openapi-generator in Java compiles, and reads every answer", async () => {
  const connection = await prepared("java");
  const jar = await openapiGenerator();
  const annotations = process.env.PAYSPEC_JAVA_ANNOTATIONS ?? "/usr/share/java/geronimo-annotation-1.3-spec.jar";
  const path = ["classes", jar, annotations].join(delimiter);
  await follow("javac", "-proc:none", "-d", "classes", "-cp", path, "Client.java", ...files("java/src/main", ".java"));
  assert.equal(await follow("java", "-cp", path, "Client", ...connection), PRINTED);
});
