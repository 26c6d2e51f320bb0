// Tests the page of a payment: the text of every state, growing pauses, lost connections.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PATIENCE_MS } from "../../../wasm/tests/support/browser.mjs";
import { gateway, pay, reaches, shows, title, uidOf, visit } from "./support.js";

const shop = gateway();
const text = (page) => page.locator("[data-state-text]");

/** Makes a payment by SBP and opens its page. */
async function start(page) {
  await page.getByLabel("SBP").check();
  await pay(page).click();
  await reaches(page, "Payment sent");
  return uidOf(page);
}

const ENDS = [
  [["completed"], "Payment completed", /^Thank you\. You have paid RUB 1,500\.00\.$/, "Back to the shop"],
  [["not_fully", "--paid-amount", "900.00"], "Paid in part", /^RUB 900\.00 of RUB 1,500\.00 have arrived/, "Back to the shop"],
  [["fail", "--fail-by", "bank", "--fail-code", "insufficient_funds"], "Payment failed", /^There was not enough money/, "Try again"],
  [["fail", "--fail-by", "acquirer", "--fail-code", "E_4711"], "Payment failed", /^The payment could not be completed/, "Try again"],
  [["cancel"], "Payment reversed", /called off/, "Back to the shop"],
  [["chargeback"], "Payment disputed", /claimed this payment back/, "Back to the shop"],
];

for (const [words, heading, explained, action] of ENDS) {
  test(`${words.join(" ")}: ${heading}`, () =>
    visit(shop.base, async (page) => {
      await shop.advance(await start(page), ...words);
      await reaches(page, heading);
      await shows(text(page), explained);
      await page.getByRole("link", { name: action }).waitFor();
      let requests = 0;
      page.on("request", () => requests++);
      await page.waitForTimeout(2500);
      assert.equal(requests, 0, "a final state is not polled");
    }));
}

test("pauses grow, and are short again after news", () =>
  visit("about:blank", async (page) => {
    // The test ends each pause itself, so that a busy machine does not change their lengths.
    await page.addInitScript(() => {
      window.pauses = [];
      const start = window.setTimeout;
      window.setTimeout = (run, ms, ...rest) => (ms < 700 ? start(run, ms, ...rest) : (window.pauses.push({ ms, run }), 0));
    });
    let polls = 0;
    page.on("request", (request) => /\/api\/payments\/[^/]+$/.test(request.url()) && polls++);
    await page.goto(shop.base);
    const uid = await start(page);
    const pauses = [];
    const next = async () => {
      const until = Date.now() + PATIENCE_MS;
      for (;;) {
        const ms = await page.evaluate((place) => window.pauses[place]?.ms, pauses.length);
        if (ms !== undefined) return pauses.push(ms);
        assert.ok(Date.now() < until, `no pause after ${pauses}`);
      }
    };
    const end = () => page.evaluate(() => window.pauses.at(-1).run());
    await next();
    for (let count = 0; count < 4; count++) {
      await end();
      await next();
    }
    assert.ok(pauses.slice(1).every((pause, place) => pause > pauses[place]), `pauses grow: ${pauses}`);
    assert.equal(polls, pauses.length, "one poll before each pause");
    await shop.advance(uid, "routed");
    await end();
    await next();
    await reaches(page, "Payment in progress");
    assert.ok(pauses.at(-1) < pauses[1], `short after news: ${pauses}`);
  }));

test("reports a lost connection, and continues after it", () =>
  visit(shop.base, async (page) => {
    const uid = await start(page);
    await page.route("**/api/payments/*", (route) => route.abort("connectionrefused"));
    await page.getByText("No connection to the payment service").waitFor();
    await shop.advance(uid, "completed");
    await page.unroute("**/api/payments/*");
    await reaches(page, "Payment completed");
    await shows(page.locator("[data-contact]"), "");
  }, { expected: /ERR_CONNECTION_REFUSED/ }));

for (const unknown of ["0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11", "no-uid", "%00%ff"]) {
  test(`an unknown payment: ${unknown}`, () =>
    visit(`${shop.base}${unknown}`, async (page) => {
      await reaches(page, "No such payment");
      await page.getByRole("link", { name: "Go to the shop" }).click();
      await page.locator("#number").waitFor();
    }, { expected: /status of 404/ }));
}
