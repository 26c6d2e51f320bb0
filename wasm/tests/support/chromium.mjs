// Chromium on this machine.

import { chromium } from "playwright-core";

import { find } from "./programs.mjs";

/** The Content-Security-Policy of a strict page. */
export const CSP = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

// Chromium without windows starts and ends in half the time.
const PROGRAMS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** Returns the path of the browser on this machine, or undefined if it is not installed. */
export const findChromium = () => process.env.PAYSPEC_CHROMIUM ?? find(PROGRAMS);

/** Starts Chromium, which the caller closes. */
export async function launch() {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("no Chromium on this machine");
  return chromium.launch({ executablePath });
}
