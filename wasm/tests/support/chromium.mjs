// Chromium on this machine.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

/** The Content-Security-Policy of a strict page. */
export const CSP = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** Returns the path of the browser on this machine, or undefined if it is not installed. */
export function findChromium() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  // Chromium without windows starts and ends in half the time.
  const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(runs);
  return process.env.PAYSPEC_CHROMIUM ?? found;
}

function runs(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts Chromium, which the caller closes. */
export async function launch() {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("no Chromium on this machine");
  return chromium.launch({ executablePath });
}
