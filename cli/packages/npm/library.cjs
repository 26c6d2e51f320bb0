#!/usr/bin/env node
// `npx payspec`: runs the program of the package payspec-cli. The library contains no program, so that a page or a service
// that depends on it does not download one.
"use strict";

const { basename, dirname, join } = require("node:path");
const { version } = require("./package.json");
const { run } = require("./run.cjs");

/**
 * Returns the launcher of payspec-cli if the same version is installed beside this package. The current folder is not
 * searched: it may contain code that the caller has not chosen.
 */
function installed() {
  try {
    if (require("payspec-cli/package.json").version === version) return require.resolve("payspec-cli/payspec.cjs");
  } catch {
    // It is not installed.
  }
  return undefined;
}

/** Returns the program of npm. npx states it; other package managers state their own. */
function npm() {
  const path = process.env.npm_execpath ?? "";
  if (!["npm-cli.js", "npx-cli.js"].includes(basename(path))) return ["npm"];
  return [process.execPath, join(dirname(path), "npm-cli.js")];
}

const launcher = installed();
if (launcher) {
  require(launcher);
} else {
  const [program, ...first] = npm();
  // npm prompts before an installation if there is a terminal, and runs this version and no other.
  const command = [...first, "exec", `--package=payspec-cli@${version}`, "--", "payspec-cli", ...process.argv.slice(2)];
  run(program, command, () => `the program is in the package payspec-cli: npm install payspec-cli@${version}`);
}
