#!/usr/bin/env node
// Runs the program of this platform, which is in an optional package.
"use strict";

const { run } = require("./run.cjs");

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

run(find(), process.argv.slice(2), (error) => error.message);
