// Pages that run the shared vectors through an entry of the package, and send the results to their server.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { CSP, PATIENCE_MS, serve } from "./browser.mjs";
import { CARD, CHECKOUT, folder, pkg } from "./package.mjs";
import { checkResult, countOf, files } from "./vector_results.mjs";

const ENTRIES = {
  index: { forms: ["json", "bytes", "object"] },
  slim: { forms: ["json", "object"], start: "await exported.default();" },
  checkout: { forms: ["json", "object"], operations: CHECKOUT },
  card: { forms: ["json", "bytes"], operations: CARD, engine: "withEngine(exported)" },
};

/** The names of the pages. */
export const PAGES = Object.keys(ENTRIES);

/** The script that sends what has failed. */
const REPORT = `
  globalThis.send = (results) => fetch(location.pathname.replace(".html", ".results"), { method: "POST", body: JSON.stringify(results) });
  for (const type of ["error", "unhandledrejection", "securitypolicyviolation"]) {
    addEventListener(type, (event) => send(String(event.message ?? event.reason ?? event.blockedURI)), true);
  }
`;

const page = (name) => `<!doctype html><meta charset="utf-8"><title>payspec</title><script src="/report.js"></script><script type="module" src="/${name}.js"></script>`;

const script = (name, { forms, operations, start = "", engine = "exported" }) => `
  import * as exported from "/pkg/${name}.js";
  import { runVectors, withEngine } from "/support/vectors.mjs";
  ${start}
  const files = await (await fetch("/vectors.json")).json();
  send(${JSON.stringify(forms)}.map((form) => runVectors(${engine}, files, form, ${JSON.stringify(operations)})));
`;

/** Serves the pages under a strict policy. */
export async function serveVectors() {
  const served = {
    "/pkg/": pkg,
    "/support/vectors.mjs": readFileSync(join(folder, "tests/support/vectors.mjs")),
    "/vectors.json": JSON.stringify(files),
    "/report.js": REPORT,
    "/favicon.ico": "",
  };
  const results = {};
  for (const [name, entry] of Object.entries(ENTRIES)) {
    served[`/${name}.html`] = page(name);
    served[`/${name}.js`] = script(name, entry);
    results[name] = new Promise((received) => {
      served[`/${name}.results`] = (body) => {
        received(JSON.parse(body));
        return "";
      };
    });
  }
  // Firefox applies the policy to the icon of a page too.
  const { address, close } = await serve(served, { "content-security-policy": `${CSP}; img-src 'self'` });
  return {
    close,
    addressOf: (name) => `${address}/${name}.html`,
    /** Waits for the results of a page, which a browser has opened, and checks them. */
    async check(name, browser) {
      const { forms, operations } = ENTRIES[name];
      const found = await Promise.race([results[name], setTimeout(PATIENCE_MS, "no results", { ref: false })]);
      assert.ok(Array.isArray(found), `${name} in ${browser}: ${found}`);
      assert.equal(found.length, forms.length, name);
      for (const result of found) checkResult(`${name} in ${browser}`, result, operations && countOf(operations));
    },
  };
}
