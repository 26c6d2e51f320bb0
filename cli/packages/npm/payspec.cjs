#!/usr/bin/env node
// Runs the program of this platform, which is in an optional package.
"use strict";

const { spawn } = require("node:child_process");

const platform = `${process.platform}-${process.arch}`;

/** Returns the path of the program. */
function find() {
  const name = `@payspec/cli-${platform}`;
  try {
    return require.resolve(`${name}/bin/payspec${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    const known = Object.keys(require("./package.json").optionalDependencies);
    const reason = known.includes(name)
      ? `${name} is not installed: npm install payspec-cli, without --omit=optional`
      : `there is no program for ${platform}, only ${known.join(", ")}`;
    process.stderr.write(`payspec: ${reason}\n`);
    process.exit(2);
  }
}

const child = spawn(find(), process.argv.slice(2), { stdio: "inherit" });
// A terminal sends an interrupt to the program too. Other signals reach only this process.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  process.stderr.write(`payspec: ${error.message}\n`);
  process.exit(2);
});
child.on("exit", (status, signal) => {
  if (signal === null) process.exit(status);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
