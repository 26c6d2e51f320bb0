// Starts a gateway for each test file, and the page in Chromium. `cargo xtask test page` builds both.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before } from "node:test";
import { promisify } from "node:util";
import { PATIENCE_MS, browse, open } from "../../../wasm/tests/support/browser.mjs";
import { sandbox } from "./sandbox.js";

export const MERCHANT = "shop-42";
export const NUMBER = "4111111111111111";
export const nextYear = String(new Date().getFullYear() + 1).slice(2);

/** Returns an environment variable that the step sets. */
export function needed(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: cargo xtask test page sets it`);
  return value;
}

/** Starts a gateway for the tests of a file, with visitors who need no session unless `demonstration` is false. `pause`: milliseconds of the simulated acquirer; without it, states do not change. `page`: whether it serves the page. */
export function gateway({ pause, demonstration = true, page = true } = {}) {
  if (process.env.PAYSPEC_SANDBOX) return sandbox(process.env.PAYSPEC_SANDBOX, MERCHANT, pause);
  const program = needed("PAYSPEC_GATEWAY");
  const folder = mkdtempSync(join(tmpdir(), "payspec-page-"));
  const database = `sqlite:${join(folder, "gateway.db")}`;
  // The page repeats a lost request after 300 ms. On a busy machine that is later than the second of the default.
  const policy = join(folder, "policy.json");
  writeFileSync(policy, JSON.stringify({ idempotency: { window_ms: 60_000 } }));
  const log = [];
  const self = {
    base: "",
    /** Returns the log. */
    log: () => log.join("\n"),
    /** Returns the bytes of the database. */
    stored: () => Buffer.concat(["gateway.db", "gateway.db-wal"].map((file) => read(join(folder, file)))),
    /** Runs a command of the gateway on its database, and returns what it prints. */
    run: async (...words) => (await promisify(execFile)(program, [...words, "--database", database])).stdout.trim(),
    /** Changes the state of a payment as an operator. */
    advance: (uid, ...words) => promisify(execFile)(program, ["advance", uid, ...words, "--database", database]),
  };
  let child;
  before(async () => {
    const simulated = pause === undefined ? [] : ["--simulate-acquirer", String(pause)];
    child = spawn(program, ["serve", "--database", database, "--policy", policy, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", ...(page ? ["--page", needed("PAYSPEC_PAGE")] : []), ...(page && demonstration ? ["--page-merchant", MERCHANT] : []), "--demo-rates", "--log-format", "json", "--log", "debug", ...simulated], { stdio: ["ignore", "ignore", "pipe"] });
    self.base = await new Promise((ready, failed) => {
      createInterface({ input: child.stderr }).on("line", (line) => {
        log.push(line);
        if (line.includes('"message":"listening"')) ready(`http://${JSON.parse(line).address}/checkout/`);
      });
      child.on("exit", () => failed(new Error(`the gateway has ended: ${log.join("\n")}`)));
    });
  });
  after(async () => {
    if (child?.exitCode === null) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  });
  return self;
}

function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

/**
 * Opens the page for `work`, which begins when the page is shown. Fails if the browser reports errors or blocked sources, except messages that match
 * `expected`.
 */
export async function visit(at, work, { expected, ...options } = {}) {
  await browse(async (browser) => {
    const { page, complaints } = await open(browser, at, options);
    await page.evaluate(() => {
      window.blocked = [];
      document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => window.blocked.push(`${violatedDirective} ${blockedURI}`));
    });
    if (at !== "about:blank" && options.javaScriptEnabled !== false) await isShown(page);
    await work(page);
    assert.deepEqual(await page.evaluate(() => window.blocked ?? []), [], "blocked by the Content-Security-Policy");
    assert.deepEqual(complaints.filter((line) => !expected?.test(line)), []);
  });
}

export const pay = (page) => page.getByRole("button", { name: /^Pay/ });
export const error = (page, name) => page.locator(`#${name}-error`);
export const title = (page) => page.locator("#state-title");
export const uidOf = (page) => new URL(page.url()).pathname.split("/").at(-1);
export const focused = (page) => page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);

/** Waits until the page is shown in its language. */
export const isShown = (page) => page.locator("#language:not(:empty)").waitFor();

/** Waits until an element has a text. In amounts, a no-break space is like a space. */
export async function shows(locator, expected, about = "") {
  const matches = (text) => (expected instanceof RegExp ? expected.test(text) : text === expected);
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const text = (await locator.textContent()).replaceAll("\u00a0", " ");
    if (matches(text)) return;
    assert.ok(Date.now() < until, `shows ${JSON.stringify(text)}, not ${expected} ${about}`);
    await new Promise((wait) => setTimeout(wait, 50));
  }
}

/** The browser of a payer who reads Russian. */
export const RUSSIAN = { locale: "ru-RU", timezoneId: "Europe/Moscow" };

/** Saves a screenshot in the folder SCREENSHOTS, if it is set. */
export const picture = async (page, name) => process.env.SCREENSHOTS && page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`), fullPage: true });

/** Types the data of a card. */
export async function fill(page, { number = NUMBER, expiry = `12${nextYear}`, code = "123", holder = "ANNA PETROVA" } = {}) {
  for (const [name, text] of Object.entries({ number, expiry, code, holder })) {
    await page.locator(`#${name}`).fill("");
    await page.locator(`#${name}`).pressSequentially(text);
  }
  await page.locator("#holder").blur();
}

/** Waits for a title of the status page. */
export async function reaches(page, text) {
  await title(page).getByText(text, { exact: true }).waitFor();
}
