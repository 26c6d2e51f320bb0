// Tests the book in Chromium, from a folder on disk: axe, sizes, the keyboard.
// `cargo xtask test book` builds the book.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { examine } from "../../wasm/tests/support/axe.mjs";
import { browse, skip } from "../../wasm/tests/support/browser.mjs";
import { BOOK, DEVICES, visit } from "./pages.mjs";

/** Returns what axe finds in `selector`. */
async function scan(page, selector) {
  const found = await examine(page, { selector, preload: false });
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

test("axe finds nothing, on phones and desktops, in light and dark", { skip }, () =>
  browse(async (browser) => {
    const pages = ["index.html", "reference/operations/create_payment.html", "reference/states/fail.html", "reference/rules/amount_scale.html", "reference/methods.html", "playground/index.html"];
    const found = [];
    for (const path of pages) {
      for (const colorScheme of ["light", "dark"]) {
        for (const [device, viewport] of Object.entries(DEVICES)) {
          await visit(browser, path, { colorScheme, viewport }, async (page) => {
            // The frame around the pages is that of mdBook.
            const problems = await scan(page, path.startsWith("playground") ? "body" : "main");
            found.push(...problems.map((problem) => `${path}, ${device}, ${colorScheme}: ${problem}`));
          });
        }
      }
    }
    assert.deepEqual(found, []);
  }));

test("no page is wider than a phone", { skip }, () =>
  browse(async (browser) => {
    for (const path of ["index.html", "reference/operations/create_payment.html", "reference/states/index.html", "reference/methods.html", "start/languages.html", "playground/index.html"]) {
      await visit(browser, path, { viewport: DEVICES.phone }, async (page) => {
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= DEVICES.phone.width, `${path} is ${width} pixels wide`);
      });
    }
  }));

test("programs and bodies of an operation are shown in whole, without scrolling", { skip }, () =>
  browse(async (browser) => {
    for (const viewport of Object.values(DEVICES)) {
      await visit(browser, "reference/operations/create_payment.html", { viewport }, async (page) => {
        for (const tab of await page.getByRole("tab").all()) {
          await tab.click();
          const cut = await page.locator("pre > code:visible").evaluateAll((blocks) =>
            blocks.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent.slice(0, 80)));
          assert.deepEqual(cut, [], await tab.innerText());
        }
      });
    }
  }));

test("the start page loads at most 800 KB", { skip }, () =>
  browse((browser) =>
    visit(browser, "index.html", {}, async (page, requests) => {
      await page.waitForLoadState("networkidle");
      const files = [...new Set(requests)].filter((address) => address.startsWith("file:")).map((address) => new URL(address));
      const bytes = files.reduce((sum, address) => sum + readFileSync(address).length, 0);
      console.log(`${files.length} files, ${bytes} bytes`);
      assert.ok(bytes <= 800_000, `${bytes} bytes`);
    })));

test("tabs follow the arrow keys, and all examples show the same language", { skip }, () =>
  browse((browser) =>
    visit(browser, "reference/operations/create_payment.html", {}, async (page) => {
      await page.getByRole("tab", { name: "Rust" }).focus();
      await page.keyboard.press("ArrowRight");
      assert.equal(await page.getByRole("tab", { name: "C", exact: true }).getAttribute("aria-selected"), "true");
      assert.match(await page.getByRole("tabpanel").innerText(), /payspec_create_payment/);
      assert.match(page.url(), /create_payment/, "the key does not turn the page");
    })));
