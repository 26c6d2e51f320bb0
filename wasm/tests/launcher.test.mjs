// Tests the commands `payspec` of the packages for npm: which program they run, and that it gets their signals.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { folder } from "./support/package.mjs";

const VERSION = "1.2.3";
const sources = join(folder, "../cli/packages/npm");
const work = realpathSync(mkdtempSync(join(tmpdir(), "payspec-launcher-")));
after(() => rmSync(work, { recursive: true }));

/** Prints its name, process, and command. Without `serve` it ends at once. */
const program = (name) => `#!${process.execPath}
const command = process.argv.at(-1);
console.log(${JSON.stringify(name)}, process.pid, command);
if (command !== "serve") process.exit(3);
setTimeout(() => process.exit(9), 20_000);
`;

/** Writes a package with its launcher into a project. */
function writePackage(project, name, launcher, version) {
  const target = join(project, "node_modules", name);
  mkdirSync(target, { recursive: true });
  cpSync(join(sources, launcher), join(target, "payspec.cjs"));
  cpSync(join(sources, "run.cjs"), join(target, "run.cjs"));
  writeFileSync(join(target, "package.json"), JSON.stringify({ name, version, optionalDependencies: {} }));
  return join(target, "payspec.cjs");
}

/** Writes a project with the library, and with payspec-cli of a version and its program. Returns the launcher of the library. */
function writeProject(name, version) {
  const project = join(work, name);
  if (version) {
    writePackage(project, "payspec-cli", "payspec.cjs", version);
    const platform = join(project, `node_modules/@payspec/cli-${process.platform}-${process.arch}/bin`);
    mkdirSync(platform, { recursive: true });
    writeFileSync(join(platform, "payspec"), program(`installed ${version}`), { mode: 0o700 });
  }
  return writePackage(project, "payspec", "library.cjs", VERSION);
}

/** Starts a launcher, with a program in place of npm, in a folder. */
function start(launcher, commands, cwd = work) {
  const npm = join(work, "npm-cli.js");
  writeFileSync(npm, program("npm"));
  return spawn(process.execPath, [launcher, ...commands], { cwd, env: { ...process.env, npm_execpath: npm }, stdio: ["ignore", "pipe", "inherit"] });
}

/** Returns the name of the program that a launcher runs, and its exit status. */
async function ran(...from) {
  const child = start(...from);
  const [output] = await Promise.all([child.stdout.toArray(), once(child, "close")]);
  return [Buffer.concat(output).toString().replace(/ \d+ .*\n/, ""), child.exitCode];
}

test("the library runs an installed program of its version only, and no program of the current folder", async () => {
  assert.deepEqual(await ran(writeProject("same", VERSION), ["check"]), [`installed ${VERSION}`, 3]);
  assert.deepEqual(await ran(writeProject("other", "9.0.0"), ["check"]), ["npm", 3]);
  const alone = writeProject("alone");
  assert.deepEqual(await ran(alone, ["check"]), ["npm", 3]);
  assert.deepEqual(await ran(alone, ["check"], join(work, "same")), ["npm", 3]);
});

for (const [name, version] of [["installed", VERSION], ["downloaded", undefined]]) {
  test(`a program that is ${name} ends with its launcher`, async () => {
    const child = start(writeProject(`signals-${name}`, version), ["serve"]);
    const [line] = await once(child.stdout, "data");
    const pid = Number(/ (\d+) serve/.exec(line)?.[1]);
    child.kill("SIGTERM");
    const [status, signal] = await once(child, "exit");
    assert.deepEqual([status, signal], [null, "SIGTERM"]);
    assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
  });
}

test("a program that cannot be started is an error", async () => {
  const launcher = writeProject("broken", VERSION);
  chmodSync(join(work, "broken/node_modules/@payspec", `cli-${process.platform}-${process.arch}`, "bin/payspec"), 0o600);
  assert.equal((await ran(launcher, ["check"]))[1], 2);
});
