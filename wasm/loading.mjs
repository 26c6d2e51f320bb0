// Measures how long a page waits for each entry: from the navigation to the first report, in Chromium with a slow network
// and processor. `node loading.mjs` prints a table of the built package; node loading.mjs [how many rounds]

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { argv } from "node:process";
import { brotliCompressSync } from "node:zlib";

import { CSP, launch } from "./tests/support/chromium.mjs";
import { pkg } from "./tests/support/package.mjs";

const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm" };

/** The statement that a page runs with each entry. */
const BODY = '{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"-5"}';
const REPORT = `if (new Engine().validateRequest('${BODY}').valid) throw new Error("an invalid body");`;
const ENTRIES = {
  payspec: `import { Engine } from "/index.js"; ${REPORT}`,
  "payspec/slim": `import init, { Engine } from "/slim.js"; await init(); ${REPORT}`,
  "payspec/checkout": `import { Engine } from "/checkout.js"; ${REPORT}`,
  "payspec/card": 'import { cardInfo } from "/card.js"; if (cardInfo("2200").scheme !== "mir") throw new Error("another scheme");',
};

/** Networks as in the tools of Chromium: bytes per second, and latency in milliseconds. The processor is four times slower. */
const NETWORKS = {
  "1.6 Mbit/s, 150 ms": { throughput: 200_000, latency: 150, rate: 4 },
  "9 Mbit/s, 60 ms": { throughput: 1_125_000, latency: 60, rate: 4 },
  "not throttled": undefined,
};

const compressed = new Map();

/** Serves the package as servers do: compressed once with brotli. */
function answer(request, response) {
  const { pathname } = new URL(request.url, "http://localhost");
  const [, entry] = /^\/page\/(.+)\.html$/.exec(pathname) ?? [];
  if (entry !== undefined) {
    const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>payspec</title><script type="module" src="/script/${entry}.js"></script></html>`;
    return void response.writeHead(200, { "content-type": "text/html", "content-security-policy": CSP }).end(html);
  }
  if (pathname.startsWith("/script/")) {
    const statement = ENTRIES[decodeURIComponent(pathname.slice("/script/".length, -".js".length))];
    return void response.writeHead(200, { "content-type": TYPES[".js"] }).end(`${statement} globalThis.done = performance.now();`);
  }
  if (pathname === "/favicon.ico") return void response.writeHead(204).end();
  if (!compressed.has(pathname)) compressed.set(pathname, brotliCompressSync(readFileSync(join(pkg, pathname))));
  response.writeHead(200, { "content-type": TYPES[extname(pathname)], "content-encoding": "br" }).end(compressed.get(pathname));
}

/** Returns the time of one visit with an empty cache, in milliseconds, and the bytes of the package. */
async function visit(browser, address, entry, network) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    if (network !== undefined) {
      const { throughput, latency, rate } = network;
      await session.send("Network.enable");
      await session.send("Network.emulateNetworkConditions", { offline: false, latency, downloadThroughput: throughput, uploadThroughput: throughput });
      await session.send("Emulation.setCPUThrottlingRate", { rate });
    }
    await page.goto(`${address}/page/${encodeURIComponent(entry)}.html`);
    await page.waitForFunction(() => globalThis.done, undefined, { timeout: 60_000 });
    return await page.evaluate(() => globalThis.done);
  } finally {
    await context.close();
  }
}

const median = (values) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)];

const rounds = Number(argv[2] ?? 7);
const server = createServer(answer);
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const address = `http://127.0.0.1:${server.address().port}`;
const browser = await launch();
try {
  console.log(`| entry | transfer | ${Object.keys(NETWORKS).join(" | ")} |`);
  console.log(`|---|---|${Object.keys(NETWORKS).map(() => "---|").join("")}`);
  for (const entry of Object.keys(ENTRIES)) {
    const before = new Set(compressed.keys());
    const times = [];
    for (const network of Object.values(NETWORKS)) {
      const all = [];
      for (let round = 0; round < rounds; round++) all.push(await visit(browser, address, entry, network));
      times.push(`${Math.round(median(all))} ms`);
    }
    const files = [...compressed].filter(([path]) => !before.has(path));
    const bytes = files.reduce((sum, [, file]) => sum + file.length, 0);
    console.log(`| \`${entry}\` | ${(bytes / 1000).toFixed(1)} KB | ${times.join(" | ")} |`);
  }
} finally {
  await browser.close();
  server.closeAllConnections();
  server.close();
}
