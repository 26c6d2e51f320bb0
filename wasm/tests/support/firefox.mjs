// Firefox on this machine. It needs no driver: the pages send their results to the server of the test.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { find } from "./programs.mjs";

const PROGRAMS = ["firefox-esr", "firefox"];

/** Without its own requests at the start. */
const PREFERENCES = {
  "app.normandy.enabled": false,
  "app.update.disabledForTesting": true,
  "browser.aboutwelcome.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
};

/** Returns the path of the browser, or undefined if it is not installed. */
export const findFirefox = () => process.env.PAYSPEC_FIREFOX ?? find(PROGRAMS);

/** Opens addresses in tabs, and runs `work`. */
export async function openInFirefox(addresses, work) {
  const profile = mkdtempSync(join(tmpdir(), "payspec-firefox-"));
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
  writeFileSync(join(profile, "user.js"), lines.join("\n"));
  const browser = spawn(findFirefox(), ["--headless", "--no-remote", "--profile", profile, ...addresses], { stdio: "ignore" });
  const ended = new Promise((resolve) => browser.once("exit", resolve));
  try {
    return await work();
  } finally {
    browser.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
