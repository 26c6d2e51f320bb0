// Projects with the package as users install it: from its tarball.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { CSP, browse, open, serve } from "./browser.mjs";
import { folder, pkg } from "./package.mjs";

const sources = join(folder, "tests/packaging");

export const { version } = JSON.parse(readFileSync(join(pkg, "package.json"), "utf8"));

/** The result of `use` in use.js. */
export const RESULT = {
  version,
  created: "1500",
  rejected: 422,
  callerError: [true, "policy", "/colour"],
  slim: "refused",
  checkout: ["amount_scale /amount"],
  scheme: "mir",
  year: 2027,
  messages: ["the currency has 0 fraction digits", "у валюты 0 знаков после запятой"],
};

export const PAGE = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>payspec</title></head><body><script type="module" src="SCRIPT"></script></body></html>';

/** Runs a program, and returns its output. */
export async function run(cwd, program, ...args) {
  const env = { ...process.env, NODE_ENV: "production", NO_COLOR: "1", npm_config_update_notifier: "false", NEXT_TELEMETRY_DISABLED: "1" };
  try {
    return (await promisify(execFile)(program, args, { cwd, env, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    throw new Error(`${program} ${args.join(" ")}: ${error.code}\n${error.stdout}\n${error.stderr}`);
  }
}

/** Packs the package, and returns the path of the tarball. */
export async function pack(to) {
  const [packed] = JSON.parse(await run(to, "npm", "pack", "--json", "--pack-destination", to, pkg));
  return join(to, packed.filename);
}

/** Returns the path of a program in wasm/node_modules. */
export const tool = (file) => join(folder, "node_modules", file);

/** Creates a project from texts, or from the files of tests/packaging with the names of texts that are undefined. */
export function create(at, files, manifest = {}) {
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, "package.json"), JSON.stringify({ name: "project", private: true, ...manifest }));
  for (const [file, text] of Object.entries(files)) {
    if (text === undefined) cpSync(join(sources, file), join(at, file));
    else writeFileSync(join(at, file), text);
  }
  return at;
}

/** Returns `globalThis.result` of a page in Chromium, and its text. */
export async function resultOf(address, complaintsExpected = []) {
  return browse(async (browser) => {
    const { page, complaints } = await open(browser, address);
    await page.waitForFunction(() => globalThis.result, undefined, { timeout: 30_000 }).catch(() => {});
    const result = await page.evaluate(() => globalThis.result);
    if (complaintsExpected) assert.deepEqual(complaints, complaintsExpected);
    return { result, text: await page.innerText("body") };
  });
}

/** Returns the result of a built page, under a strict policy. */
export async function shown(files, policy = CSP) {
  const server = await serve({ "/favicon.ico": "", ...files }, { "content-security-policy": policy });
  try {
    // A policy that blocks something is reported on the console.
    return (await resultOf(`${server.address}/index.html`, policy === CSP ? [] : null)).result;
  } finally {
    await server.close();
  }
}
