// Runs every shared vector through the entries of the package in Firefox.

import { test } from "node:test";

import { PATIENCE_MS } from "./support/browser.mjs";
import { findFirefox, openInFirefox } from "./support/firefox.mjs";
import { PAGES, serveVectors } from "./support/vector_pages.mjs";

const skip = findFirefox() || process.env.CI === "true" ? false : "no Firefox here: apt-get install firefox-esr, or PAYSPEC_FIREFOX=…";

test("vectors: in Firefox, on plain pages under a strict policy", { skip, timeout: 3 * PATIENCE_MS }, async () => {
  const server = await serveVectors();
  try {
    await openInFirefox(PAGES.map(server.addressOf), async () => {
      for (const name of PAGES) server.check(name, "Firefox", await server.results(name));
    });
  } finally {
    await server.close();
  }
});
