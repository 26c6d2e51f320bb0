// Tests the page of a payment: the text of every state, growing pauses, lost connections.

import assert from "node:assert/strict";
import { test } from "node:test";
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
    // The time of the page passes in steps, so that a busy machine does not change the pauses.
    await page.clock.install();
    await page.goto(shop.base);
    const uid = await start(page);
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1));
    const times = [];
    let elapsed = 0;
    let answers = 0;
    const isPoll = (request) => /\/api\/payments\/[^/]+$/.test(request.url());
    page.on("request", (request) => isPoll(request) && times.push(elapsed));
    page.on("requestfinished", (request) => isPoll(request) && answers++);
    const pass = async () => {
      elapsed += 50;
      await page.clock.runFor(50);
      do await new Promise((wait) => setTimeout(wait, 20));
      while (answers < times.length);
    };
    while (elapsed < 6500) await pass();
    const gaps = times.slice(1).map((time, place) => time - times[place]);
    assert.ok(gaps.length >= 3 && gaps.length <= 6, `${gaps}`);
    assert.ok(gaps.every((gap, place) => place === 0 || gap > gaps[place - 1]), `${gaps}`);
    await shop.advance(uid, "routed");
    while ((await title(page).textContent()) !== "Payment in progress" && elapsed < 60_000) await pass();
    await reaches(page, "Payment in progress");
    const count = times.length;
    while (times.length === count && elapsed < 60_000) await pass();
    assert.ok(times.at(-1) - times.at(-2) < gaps.at(-1), `polls soon after news: ${times}`);
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
