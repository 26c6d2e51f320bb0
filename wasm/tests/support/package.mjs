// The paths of the built package and the shared vectors.

import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The folder `wasm`. */
export const folder = fileURLToPath(new URL("../../", import.meta.url));

/** The folder of the package, for `npm publish`. */
export const pkg = resolve(process.env.PAYSPEC_PACKAGE ?? join(folder, "pkg"));

/** Operations of `payspec/checkout`. */
export const CHECKOUT = ["validate_request", "card_info", "rules"];

/** Operations of `payspec/card`. */
export const CARD = ["card_info"];

/** All files of vectors. */
export function loadVectors() {
  const root = join(folder, "../tests/vectors");
  const files = readdirSync(root, { recursive: true }).filter((name) => name.endsWith(".json")).sort();
  return files.map((name) => JSON.parse(readFileSync(join(root, name), "utf8")));
}

/** The paths of all files in a folder and its subfolders, sorted. */
export function allFiles(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name))).sort();
}

/** An entry of the package as an ES module. */
export const imported = (file) => import(pathToFileURL(join(pkg, file)).href);

/** An entry of the package as CommonJS. */
export const required = (file) => createRequire(import.meta.url)(join(pkg, file));

/** The bytes of the module. */
export const wasm = () => readFileSync(join(pkg, "payspec.wasm"));

/** Returns the result of a call, or its error. */
export function outcome({ PayspecError }, call) {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof PayspecError)) throw error;
    return JSON.stringify({ code: error.code, path: error.path, expected: error.expected });
  }
}
