// Tests each payment method from the form to the end of the payment, with a gateway and its simulated acquirer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fill, gateway, pay, reaches, shows, title, uidOf, visit } from "./support.js";

const shop = gateway({ pause: 2000 });
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the payment that the service has stored. */
const payment = async (page) => (await fetch(`${shop.base}api/payments/${uidOf(page)}`)).json();

async function sent(page, work) {
  const [request] = await Promise.all([page.waitForRequest("**/api/payments"), work()]);
  return request;
}

test("completes a card payment", () =>
  visit(shop.base, async (page) => {
    await fill(page);
    const request = await sent(page, () => pay(page).click());
    assert.match(request.headers()["idempotency-key"], /^[0-9a-f]{32}$/);
    const { mode, subtype, host2host, amount, cur, pay_in_details: details } = request.postDataJSON();
    assert.deepEqual({ mode, subtype, host2host, amount, cur }, { mode: "ACQUIRING", subtype: "bank_card", host2host: true, amount: "1500.00", cur: "RUB" });
    assert.equal(details.card.card_number, "4111111111111111");
    await reaches(page, "Payment sent");
    assert.match(uidOf(page), UUID);
    await shows(page.locator("[aria-current=step]"), "Sent");
    await reaches(page, "Payment in progress");
    await reaches(page, "Payment completed");
    await shows(page.locator("[data-details]"), /AmountRUB 1,500\.00.*Card •••• 1111/);
    assert.equal((await payment(page)).state, "completed");
    assert.match(await page.title(), /^Payment completed/);
    // A reload shows the payment again.
    const address = page.url();
    await page.reload();
    await reaches(page, "Payment completed");
    assert.equal(page.url(), address);
    await page.getByRole("link", { name: "Back to the shop" }).click();
    await page.locator("#number").waitFor();
    assert.equal(await page.locator("#number").inputValue(), "");
  }));

test("completes an SBP payment", () =>
  visit(shop.base, async (page) => {
    await page.getByLabel("SBP").check();
    assert.equal(await page.locator("#number").isVisible(), false);
    await page.getByLabel("Your bank").selectOption("T-Bank");
    const request = await sent(page, () => pay(page).click());
    const { mode, subtype, bank_name, pay_in_details } = request.postDataJSON();
    assert.deepEqual({ mode, subtype, bank_name, pay_in_details }, { mode: "P2P", subtype: "sbp", bank_name: "T-Bank", pay_in_details: undefined });
    await reaches(page, "Payment sent");
    await shows(page.locator("[data-state-text]"), /confirm the payment in your bank's app/);
    await reaches(page, "Payment completed");
    assert.equal((await payment(page)).subtype, "sbp");
  }));

test("shows the price of a payment in USDT before and after it", () =>
  visit(shop.base, async (page) => {
    await page.getByLabel("USDT").check();
    // 1500 RUB at the demo rate of 92.45, converted by the library.
    await shows(page.locator("#quote"), /16\.224986 USDT.*1 USDT = RUB 92\.45/s);
    await shows(pay(page), "Pay 16.224986 USDT");
    const request = await sent(page, () => pay(page).click());
    assert.equal(request.postDataJSON().mode, "CRYPTO");
    await reaches(page, "Payment completed");
    await shows(page.locator("[data-details]"), /Amount16\.224986 USDT.*PriceRUB 1,500\.00/);
    const { currency, requested_amount: requested } = await payment(page);
    assert.deepEqual({ currency, requested }, { currency: "USDT", requested: "1500.00" });
  }));

test("makes one payment if the button is pressed twice", () =>
  visit(shop.base, async (page) => {
    await fill(page);
    let calls = 0;
    await page.route("**/api/payments", async (route) => {
      calls++;
      await new Promise((wait) => setTimeout(wait, 300));
      await route.continue();
    });
    await page.locator("#holder").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await pay(page).dblclick({ force: true });
    await reaches(page, "Payment completed");
    assert.equal(calls, 1);
  }));

test("repeats a request with the same key if the answer is lost", () =>
  visit(shop.base, async (page) => {
    await fill(page);
    const made = [];
    await page.route("**/api/payments", async (route) => {
      const answer = await route.fetch();
      made.push([route.request().headers()["idempotency-key"], (await answer.json()).uid]);
      if (made.length === 1) await route.abort();
      else await route.fulfill({ response: answer });
    });
    await pay(page).click();
    await reaches(page, "Payment completed");
    assert.equal(made.length, 2);
    assert.deepEqual(made[0], made[1], "the same key, and the same payment");
    assert.equal(uidOf(page), made[0][1]);
  }, { expected: /ERR_FAILED/ }));

test("going back does not show the sent form", () =>
  visit("about:blank", async (page) => {
    await page.goto(shop.base);
    await fill(page);
    await pay(page).click();
    await reaches(page, "Payment completed");
    await page.goBack();
    assert.equal(page.url(), "about:blank");
    assert.equal(await title(page).count(), 0);
  }));
