// Tests the errors of the payer, the service and the network: their messages, and the fields that show them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { error, fill, focused, gateway, pay, nextYear, shows, visit } from "./support.js";

const shop = gateway();
const lastYear = String(new Date().getFullYear() - 1).slice(2);
const problem = (page) => page.locator("form .problem");

/** A card with one mistake, the field with the error, and its message. */
const MISTAKES = [
  [{ number: "4111 11" }, "number", "This number is not complete"],
  [{ number: "4111111111111112" }, "number", "There is a mistake in this number"],
  [{ number: "" }, "number", "Enter the number of your card"],
  [{ expiry: `13${nextYear}` }, "expiry", "The month is 01 to 12"],
  [{ expiry: `12${lastYear}` }, "expiry", "This card has expired"],
  [{ expiry: "122199" }, "expiry", "Check the year"],
  [{ expiry: "1" }, "expiry", "Enter the date"],
  [{ expiry: "" }, "expiry", "Enter the date"],
  [{ code: "12" }, "code", "The code has 3 digits"],
  [{ number: "378282246310005", code: "123" }, "code", "The code has 4 digits"],
  [{ code: "" }, "code", "Enter the code"],
  [{ holder: " " }, "holder", "Enter the name on the card"],
  [{ holder: "A".repeat(256) }, "holder", "This name is too long"],
  [{ holder: "ANNA\u202ePETROVA" }, "holder", "This name contains a character that cannot be sent"],
  [{ holder: "4111 1111 1111 1111" }, "holder", "This is a number: enter the name here"],
];

test("shows each mistake at its field, and sends nothing", () =>
  visit(shop.base, async (page) => {
    let calls = 0;
    await page.route("**/api/**", (route) => route.continue(calls++));
    for (const [card, field, message] of MISTAKES) {
      await fill(page, card);
      await pay(page).click();
      const about = JSON.stringify(card);
      await shows(error(page, field), message, about);
      assert.equal(await page.locator(`#${field}`).getAttribute("aria-invalid"), "true", about);
      assert.equal(await focused(page), field, about);
      await shows(page.locator("#summary h2"), "Please check one field", about);
      assert.deepEqual(await page.locator("#summary a").allTextContents(), [message], about);
      for (const other of ["number", "expiry", "code", "holder"]) if (other !== field) await shows(error(page, other), "", about);
    }
    assert.equal(calls, 0);
    await fill(page);
    assert.equal(await page.locator("#summary").isVisible(), false, "corrected mistakes disappear");
  }));

test("lists all fields of an empty form with links", () =>
  visit(shop.base, async (page) => {
    await pay(page).click();
    assert.equal(await focused(page), "number");
    await shows(page.locator("#summary h2"), "Please check 4 fields");
    await page.getByRole("link", { name: "Enter the code" }).click();
    assert.equal(await focused(page), "code");
    assert.equal(page.url(), shop.base);
  }));

test("shows no error at a field before the payer leaves it", () =>
  visit(shop.base, async (page) => {
    await page.locator("#number").pressSequentially("4111 11");
    await shows(error(page, "number"), "", "still typing");
    await page.locator("#number").blur();
    await shows(error(page, "number"), "This number is not complete");
    await shows(error(page, "code"), "", "not visited");
  }));

/** Answers of the service, and the messages for the payer. */
const ANSWERS = [
  [409, { code: "idempotency_conflict" }, /already sent, and was not made a second time/],
  [455, { code: "refused", detail: "the merchant is closed" }, /^The payment was refused: the merchant is closed$/],
  [503, { type: "about:blank" }, /busy.*try again in a moment/],
  [404, { type: "about:blank" }, /cannot take payments right now/],
  [502, undefined, /busy.*try again in a moment/],
];

test("shows a message for each problem, and the payer can try again", () =>
  visit(shop.base, async (page) => {
    await fill(page);
    const keys = [];
    for (const [status, body, words] of ANSWERS) {
      await page.route("**/api/payments", (route) => {
        keys.push(route.request().headers()["idempotency-key"]);
        return route.fulfill({ status, contentType: "application/json", body: JSON.stringify({ ...body, status }) });
      });
      await pay(page).click();
      await shows(problem(page), words, String(status));
      await page.unroute("**/api/payments");
      await page.locator("#holder").press("End");
      await page.locator("#holder").pressSequentially("A");
      await shows(problem(page), "", "removed after a change");
    }
    // After 409 and 503 a payment may exist; after 455 and 404 it does not.
    const [conflict, declined, busy, missing, unavailable] = keys;
    assert.equal(conflict, declined);
    assert.notEqual(declined, busy);
    assert.equal(busy, missing);
    assert.notEqual(missing, unavailable);
  }, { expected: /Failed to load resource/ }));

test("reports a missing connection, and keeps the key", () =>
  visit(shop.base, async (page) => {
    await fill(page);
    const keys = [];
    await page.route("**/api/payments", (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      return route.abort("connectionrefused");
    });
    for (let round = 0; round < 2; round++) {
      await pay(page).click();
      await shows(problem(page), /cannot be reached.*not be charged twice/);
    }
    assert.equal(keys.length, 4, "each attempt is repeated once");
    assert.equal(new Set(keys).size, 1);
  }, { expected: /ERR_CONNECTION_REFUSED/ }));

test("shows violations of the service at their field", () =>
  visit(shop.base, async (page) => {
    await fill(page);
    // The service and the page have the same rules, so the test changes the request.
    await page.route("**/api/payments", (route) => {
      const body = route.request().postDataJSON();
      body.pay_in_details.card.card_number = "4111111111111112";
      return route.continue({ postData: JSON.stringify(body) });
    });
    await pay(page).click();
    await page.locator("#number[aria-invalid=true]").waitFor();
    await shows(error(page, "number"), /./);
    assert.equal(await focused(page), "number");
  }, { expected: /status of 422/ }));

test("shows the reason if there is no rate for USDT", () =>
  visit(shop.base, async (page) => {
    await page.route("**/api/convert", (route) => route.fulfill({ status: 455, contentType: "application/json", body: '{"code":"quote_stale","status":455}' }));
    await page.getByLabel("USDT").check();
    await shows(page.locator("[data-quote=problem]"), /no current rate for USDT/);
    await shows(pay(page), "Pay RUB 1,500.00");
  }, { expected: /status of 455/ }));
