// Runs every shared vector through the entries of the package in Firefox.

import { test } from "node:test";

import { findFirefox, openInFirefox } from "./support/firefox.mjs";
import { PAGES, serveVectors } from "./support/vector_pages.mjs";

const skip = findFirefox() || process.env.CI === "true" ? false : "no Firefox here: apt-get install firefox-esr, or PAYSPEC_FIREFOX=…";

test("vectors: in Firefox, on plain pages under a strict policy", { skip }, async () => {
  const server = await serveVectors();
  try {
    await openInFirefox(PAGES.map(server.addressOf), async () => {
      for (const name of PAGES) await server.check(name, "Firefox");
    });
  } finally {
    await server.close();
  }
});
