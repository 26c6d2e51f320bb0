// Tests `/docs` in Chromium: its policy, axe, the keyboard, and the console. `cargo xtask test page` builds the gateway.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gateway } from "../../../checkout/tests/support.js";
import { examine } from "../../../../wasm/tests/support/axe.mjs";
import { browse, open, skip } from "../../../../wasm/tests/support/browser.mjs";

const DEVICES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 900 } };
/** The parts of the page, by their fragment. */
const PARTS = ["overview", "auth", "post-/v1/payments/new", "get-/v1/payments/-uid-/status", "get-/v1/partner/balance", "cmp--schemas--creation-request"];

const service = gateway({ page: false });

/** Opens the page for `work`, and fails on errors, blocked sources, and requests to other hosts. */
function show(work, { expected, ...options } = {}) {
  return browse(async (browser) => {
    const { page, complaints } = await open(browser, "about:blank", { reducedMotion: "reduce", ...options });
    const requests = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(`${service.base.replace("checkout/", "docs")}`);
    await page.locator("openapi-explorer main").waitFor();
    await work(page);
    assert.deepEqual(requests.filter((url) => new URL(url).origin !== new URL(service.base).origin && !url.startsWith("data:")), []);
    assert.deepEqual(complaints.filter((line) => !expected?.test(line)), []);
  });
}

/** Enters a token in the form. */
async function authenticate(page, text) {
  await page.getByRole("link", { name: "Authentication" }).click();
  await page.getByLabel("Access token").fill(text);
  await page.keyboard.press("Enter");
  await page.getByText("The console uses this token.").waitFor();
}

test("axe finds nothing, on phones and desktops, in light and dark, and no page is wider than the screen", { skip }, async () => {
  const found = [];
  for (const [device, viewport] of Object.entries(DEVICES)) {
    for (const colorScheme of ["light", "dark"]) {
      await show(async (page) => {
        for (const part of PARTS) {
          const name = `${part}, ${device}, ${colorScheme}`;
          await page.evaluate((route) => document.querySelector("openapi-explorer").scrollTo(route), part);
          await page.waitForTimeout(200);
          const report = await examine(page, { preload: false });
          found.push(...report.violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${name}: ${id}: ${html.slice(0, 160)} ${JSON.stringify(any[0]?.data ?? "")}`)));
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          if (width > viewport.width) found.push(`${name}: ${width} pixels wide`);
          if (process.env.PAYSPEC_PICTURES) await page.screenshot({ path: `${process.env.PAYSPEC_PICTURES}/docs-${part.replace(/\W+/g, "-")}-${device}-${colorScheme}.png` });
        }
      }, { viewport, colorScheme });
    }
  }
  assert.deepEqual(found, []);
});

test("the console creates a payment with the token, with the keyboard alone", { skip }, async () => {
  const token = await service.run("token", "new", "--merchant", "shop-42", "--quiet");
  await show(async (page) => {
    await authenticate(page, token);
    await page.getByRole("link", { name: "Create a payment" }).press("Enter");
    const response = page.waitForResponse((response) => response.url().endsWith("/v1/payments/new"));
    await page.getByRole("button", { name: "Execute" }).press("Enter");
    const { payment_type, uid } = await (await response).json();
    assert.equal((await response).status(), 201);
    assert.equal(payment_type, "pay_in");
    await page.getByText(uid).first().waitFor();
  }, { viewport: DEVICES.desktop });
});

test("a link cannot choose the token of the console", { skip }, () =>
  show(async (page) => {
    const state = Buffer.from(JSON.stringify({ apiKeyId: "bearer" })).toString("base64");
    const token = await service.run("token", "new", "--merchant", "attacker", "--quiet");
    const [address] = page.url().split("#");
    for (const separator of ["?", "#", "#?"]) {
      await page.goto("about:blank");
      await page.goto(`${address}${separator}state=${state}&token_type=Bearer&access_token=${token}`);
      await page.getByRole("link", { name: "Read the partner's balance" }).click();
      const response = page.waitForResponse((response) => response.url().endsWith("/v1/partner/balance"));
      await page.getByRole("button", { name: "Execute" }).click();
      assert.equal((await response).status(), 401, separator);
    }
  }, { viewport: DEVICES.desktop, expected: /401/ }));

test("without a token the console shows 401, and the page stores no token", { skip }, () =>
  show(async (page) => {
    await page.getByRole("link", { name: "Read the partner's balance" }).click();
    const response = page.waitForResponse((response) => response.url().endsWith("/v1/partner/balance"));
    await page.getByRole("button", { name: "Execute" }).click();
    assert.equal((await response).status(), 401);
    await authenticate(page, "secret-token-1");
    assert.equal(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])).then((text) => text.includes("secret-token-1")), false);
  }, { viewport: DEVICES.desktop, expected: /401/ }));
