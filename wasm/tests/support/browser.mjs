// The browser of tests, and the pages that are served to it.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { text } from "node:stream/consumers";
import { after } from "node:test";

import { CSP, findChromium, launch } from "./chromium.mjs";

export { CSP };

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml" };

/** For node:test: the reason if tests in the browser are skipped. In CI, a missing browser is a failure. */
export const skip = findChromium() || process.env.CI === "true" ? false : "no Chromium here: apt-get install chromium-headless-shell, or PAYSPEC_CHROMIUM=…";

/**
 * Serves `files`: by path, a text, a function that returns the text for the body of a request, or a folder if the path ends
 * with a slash.
 * @returns {Promise<{address: string, close: () => Promise<void>}>}
 */
export async function serve(files, headers = { "content-security-policy": CSP }) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    try {
      const body = await content(files, pathname, request);
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

async function content(files, path, request) {
  if (!path.endsWith("/") && Object.hasOwn(files, path)) {
    const file = files[path];
    return typeof file === "function" ? file(await text(request)) : file;
  }
  const folder = Object.keys(files).find((name) => name.endsWith("/") && path.startsWith(name));
  const rest = path.slice(folder.length);
  return readFile(join(files[folder], rest.split("/").includes("..") ? "" : rest || "index.html"));
}

/** How long a test waits for a page, in milliseconds. A busy machine needs seconds for what usually takes a few frames. */
export const PATIENCE_MS = 60_000;

/** The browser of all tests in this process. A start takes longer than most tests. */
let shared;
after(async () => (await shared)?.close());

/** Opens Chromium for `work`. Each of its pages has a storage of its own, and is closed afterwards. */
export async function browse(work) {
  shared ??= launch();
  const browser = await shared;
  try {
    return await work(browser);
  } finally {
    for (const context of browser.contexts()) await context.close();
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
