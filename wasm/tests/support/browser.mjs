// Chromium, and the pages that are served to it.

import { accessSync, constants } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { delimiter, extname, join } from "node:path";
import { chromium } from "playwright-core";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml" };

/** The Content-Security-Policy of a strict page. */
export const CSP = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** Returns the path of the browser on this machine, or undefined if it is not installed. */
export function findChromium() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const names = ["chromium", "chromium-browser", "google-chrome"];
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

/** For node:test: the reason if tests in the browser are skipped. In CI, a missing browser is a failure. */
export const skip = findChromium() || process.env.CI === "true" ? false : "no Chromium here: apt-get install chromium, or PAYSPEC_CHROMIUM=…";

/**
 * Serves `files`: by path, a text, or a folder if the path ends with a slash.
 * @returns {Promise<{address: string, close: () => Promise<void>}>}
 */
export async function serve(files, headers = { "content-security-policy": CSP }) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    try {
      const body = await content(files, pathname);
      response.writeHead(200, { ...headers, "content-type": TYPES[extname(pathname)] ?? TYPES[".html"] }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const close = () => new Promise((closed) => {
    server.closeAllConnections();
    server.close(closed);
  });
  return { address: `http://127.0.0.1:${server.address().port}`, close };
}

async function content(files, path) {
  if (!path.endsWith("/") && Object.hasOwn(files, path)) return files[path];
  const folder = Object.keys(files).find((name) => name.endsWith("/") && path.startsWith(name));
  const rest = path.slice(folder.length);
  return readFile(join(files[folder], rest.split("/").includes("..") ? "" : rest || "index.html"));
}

/** How long a test waits for a page, in milliseconds. A busy machine needs seconds for what usually takes a few frames. */
export const PATIENCE_MS = 60_000;

/** Opens Chromium for `work`. */
export async function browse(work) {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("no Chromium on this machine");
  const browser = await chromium.launch({ executablePath });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** Opens a page. Its messages, exceptions, and rejected requests are in `complaints`. */
export async function open(browser, address, options) {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => complaints.push(String(error.stack ?? error)));
  await page.goto(address);
  return { page, complaints };
}
