// Finds the program `payspec`, and starts it.

import { spawn } from "node:child_process";
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { SandboxError } from "./error.js";

const FILE = process.platform === "win32" ? "payspec.exe" : "payspec";
const PLATFORM = `@payspec/cli-${process.platform}-${process.arch}`;
const MISSING = "the program payspec is missing: npm install --save-dev payspec-cli; or name its path by the option cli or the "
  + "variable PAYSPEC_CLI; or add it to the PATH, such as by cargo install --path cli --locked";

/** Starts a sandbox with a free port. Resolves when it accepts connections, with the lines that it prints then. */
export async function start(cli) {
  const [program, source] = find(cli);
  const child = spawn(program, ["sandbox", "--listen", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "inherit"] });
  const kill = () => child.kill();
  process.once("exit", kill); // of a script that throws, exits, or forgets to close the sandbox
  const ended = new Promise((resolve) => child.once("close", resolve));
  const lines = {};
  try {
    await new Promise((ready, failed) => {
      child.on("error", ({ code }) => failed(new SandboxError(`${source}: cannot start ${program}: ${code}`)));
      child.on("exit", (code) => failed(new SandboxError(`${source}: ${program} sandbox ended with status ${code}`)));
      createInterface({ input: child.stdout }).on("line", (line) => {
        const [name, value] = line.split(": ", 2);
        lines[name] = value;
        if (name === "secret") ready();
      });
    });
  } catch (error) {
    process.off("exit", kill);
    throw error;
  }
  // A sandbox that is not closed keeps no script running.
  child.unref();
  child.stdout.unref();
  const stop = async () => {
    process.off("exit", kill);
    child.ref();
    child.kill();
    await ended;
  };
  return { lines, stop };
}

/** Returns the path of the program, and a text for errors that names the source of the path. */
export function find(cli) {
  if (cli !== undefined) return [cli, "the option cli"];
  if (process.env.PAYSPEC_CLI) return [process.env.PAYSPEC_CLI, "PAYSPEC_CLI"];
  const installed = ofPackage(join(process.cwd(), "package.json")) ?? ofPackage(import.meta.url);
  if (installed) return [installed, "payspec-cli"];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = folders.map((folder) => join(folder, FILE)).find((path) => isProgram(path));
  if (found) return [found, "PATH"];
  throw new SandboxError(MISSING);
}

/** Returns the path of the program in the package payspec-cli if a file can import it. */
function ofPackage(file) {
  try {
    return createRequire(createRequire(file).resolve("payspec-cli/package.json")).resolve(`${PLATFORM}/bin/${FILE}`);
  } catch {
    return undefined;
  }
}

/** Returns whether a file is executable, other than the launchers of the packages payspec, which would download the program. */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    if (!statSync(path).isFile()) return false;
    // A launcher of npm, of pnpm, or of pip. The program itself has some megabytes.
    return statSync(path).size > 65_536 || !/--package=payspec-cli@|payspec[\\/]payspec\.cjs|payspec\._command_line/.test(readFileSync(path, "latin1"));
  } catch {
    return false;
  }
}
