// Tests the book and the playground in Chromium, from a folder on disk: axe, sizes, the keyboard, links to share.
// `cargo xtask test book` builds the book.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { examine } from "../../wasm/tests/support/axe.mjs";
import { browse, skip } from "../../wasm/tests/support/browser.mjs";

const folder = process.env.PAYSPEC_BOOK;
if (!folder) throw new Error("PAYSPEC_BOOK is not set: cargo xtask test book sets it");
const BOOK = pathToFileURL(`${folder}/`).href;
const DEVICES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } };

/** Opens a page offline, and fails if it requests anything outside the book or reports an error. */
async function visit(browser, path, options, work) {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options, offline: true });
  const page = await context.newPage();
  const complaints = [];
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(BOOK + path);
  await work(page, requests);
  assert.deepEqual(requests.filter((address) => !address.startsWith(BOOK) && !address.startsWith("data:")), []);
  assert.deepEqual(complaints, []);
  await context.close();
}

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

test("the playground shows each violation with its place and its decision", { skip }, () =>
  browse((browser) =>
    visit(browser, "playground/index.html", {}, async (page) => {
      assert.equal(await page.locator("#summary").innerText(), "The body is invalid: 2 errors.");
      assert.deepEqual(await page.locator("#violations a[href*=rules]").allInnerTexts(), ["amount_scale", "uri_scheme", "unknown_member"]);
      assert.match(await page.locator("#violations pre").first().innerText(), /"amount": "1500.50",\n +\^{9}$/);
      assert.match(await page.locator("#violations li").first().innerText(), /Line 6, column 13/);
      await page.getByLabel("Policy").fill('{"severity": {"unknown_member": "off"}}');
      assert.equal(await page.locator("#violations li").count(), 2);
      await page.getByLabel("Policy").fill('{"severity": {"unknown_member": "never"}}');
      assert.match(await page.locator("#summary").innerText(), /^Caller error: \/severity\/unknown_member/);
      await page.getByLabel("Policy").fill("");
      await page.getByLabel("Example").selectOption("Malformed JSON");
      assert.match(await page.locator("#violations li").innerText(), /json_syntax[^]*Line 2/);
      await page.getByLabel("Example").selectOption("A payment in USDT");
      assert.equal(await page.locator("#summary").innerText(), "201 The payment is created");
      await page.getByText("The answer as JSON").click();
      assert.match(await page.locator("#answer").innerText(), /"currency": "USDT"/);
    })));

test("a link of the playground restores the inputs", { skip }, () =>
  browse(async (browser) => {
    let address = "";
    await visit(browser, "playground/index.html", {}, async (page) => {
      await page.getByLabel("Body").fill('{"payment_type":"pay_in","note":"ä & #"}');
      await page.getByLabel("Operation").selectOption("redact");
      await page.getByRole("button", { name: "Copy link" }).click();
      await page.locator("#shared").filter({ hasText: "link" }).waitFor();
      address = page.url();
    });
    await visit(browser, address.slice(BOOK.length), {}, async (page) => {
      assert.equal(await page.getByLabel("Body").inputValue(), '{"payment_type":"pay_in","note":"ä & #"}');
      assert.equal(await page.getByLabel("Operation").inputValue(), "redact");
    });
  }));

test("the playground works with the keyboard alone", { skip }, () =>
  browse((browser) =>
    visit(browser, "playground/index.html", {}, async (page) => {
      const reached = [];
      for (let step = 0; step < 16; step += 1) {
        await page.keyboard.press("Tab");
        reached.push(await page.evaluate(() => document.activeElement.id || document.activeElement.textContent));
      }
      for (const name of ["operation", "example", "share", "body", "context", "policy", "amount_scale", "Line 6, column 13"]) {
        assert.ok(reached.includes(name), `${name} is reached: ${reached}`);
      }
      await page.getByRole("button", { name: "Line 6, column 13" }).press("Enter");
      const selected = await page.locator("#body").evaluate((field) => field.value.slice(field.selectionStart, field.selectionEnd));
      assert.equal(selected, '"1500.50"');
    })));
