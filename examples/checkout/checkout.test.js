// Tests the built form in Chromium against the server of examples/node. SCREENSHOTS=folder saves screenshots.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { browse, open, serve, skip } from "../../wasm/tests/support/browser.mjs";
import { paymentServer } from "../node/server.js";
import { error, fill, shows } from "./tests/support.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const tools = join(folder, "../../wasm/node_modules");
const CSP = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'self'";

let dist;
let site;
let shop;

before(async () => {
  dist = mkdtempSync(join(tmpdir(), "payspec-checkout-"));
  const run = (...args) => execFileSync(process.execPath, args, { cwd: folder, stdio: "inherit" });
  run(join(tools, "typescript/bin/tsc"), "--project", ".");
  run(join(tools, "vite/bin/vite.js"), "build", "--outDir", dist, "--emptyOutDir", "--logLevel", "warn");
  site = await serve({ "/checkout/": dist }, { "content-security-policy": CSP });
  shop = paymentServer({ token: "secret" });
  await new Promise((ready) => shop.listen(0, "127.0.0.1", ready));
});

after(async () => {
  await site?.close();
  shop?.close();
  if (dist) rmSync(dist, { recursive: true, force: true });
});

/** Opens the page and forwards its requests to the shop. */
async function visit(work, options) {
  await browse(async (browser) => {
    const { page, complaints } = await open(browser, `${site.address}/checkout/`, options);
    const sent = [];
    await page.route("**/api/payments", async (route) => {
      sent.push(route.request().postDataJSON());
      const headers = { ...route.request().headers(), authorization: "Bearer secret" };
      const answer = await route.fetch({ url: `http://127.0.0.1:${shop.address().port}/v1/payments/new`, headers });
      await route.fulfill({ response: answer });
    });
    await work(page, sent);
    // The server of examples/node has no checkout sessions. The page then creates the payment without one.
    const expected = /status of 422|status of 404 .*\/api\/sessions$/;
    assert.deepEqual(complaints.filter((line) => !expected.test(line)), []);
  });
}

const picture = async (page, name) => process.env.SCREENSHOTS && page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`), fullPage: true });
const nextYear = String(new Date().getFullYear() + 1).slice(2);

test("checkout: formats the digits and shows scheme and code name", { skip }, () =>
  visit(async (page) => {
    const number = page.locator("#number");
    const typed = async (digits, text, scheme, code) => {
      await number.fill("");
      await number.pressSequentially(digits);
      assert.equal(await number.inputValue(), text);
      await shows(page.locator("#number-scheme"), scheme);
      await shows(page.locator("#code-name"), code);
    };
    await typed("2200", "2200", "Mir", "CVP2");
    await typed("378282246310005", "3782 822463 10005", "American Express", "CID");
    assert.equal(await page.locator("#code").getAttribute("maxlength"), "4");
    await typed("4111 1111-1111 1111", "4111 1111 1111 1111", "Visa", "CVV");
    await shows(error(page, "number"), "");
    // The caret stays after a digit that is typed in the middle.
    await number.fill("4111 1111");
    await number.evaluate((input) => input.setSelectionRange(2, 2));
    await number.press("9");
    assert.equal(await number.inputValue(), "4191 1111 1");
    assert.equal(await number.evaluate((input) => input.selectionStart), 3);
    const expiry = page.locator("#expiry");
    await expiry.pressSequentially("930");
    assert.equal(await expiry.inputValue(), "09 / 30");
  }));

test("checkout: leaves a composition of an input method as it is, and converts its digits at its end", { skip }, () =>
  visit(async (page) => {
    const input = await page.context().newCDPSession(page);
    for (const [name, composed, digits] of [["number", ["\uff14", "\uff14\uff11", "\uff14\uff11\uff11\uff11\uff11"], "4111 1"], ["expiry", ["\u0669"], "09"], ["code", ["\u06f1", "\u06f1\u06f2"], "12"]]) {
      const field = page.locator(`#${name}`);
      await field.focus();
      for (const text of composed) {
        await input.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
        assert.equal(await field.inputValue(), text, "during the composition");
      }
      await input.send("Input.insertText", { text: composed.at(-1) });
      assert.equal(await field.inputValue(), digits, "after it");
    }
  }));

test("checkout: takes the card number of a text that is pasted", { skip }, () =>
  visit(async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const number = page.locator("#number");
    for (const text of [
      "Visa 4111 1111 1111 1111, 12/27",
      "The number of the card that I pay with is 4111 1111 1111 1111",
      "The number of my card:\n4111 1111 1111 1111",
    ]) {
      await number.fill("");
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await number.press("Control+V");
      assert.equal(await number.inputValue(), "4111 1111 1111 1111", text);
    }
    await page.locator("#expiry").fill("2030-12");
    assert.equal(await page.locator("#expiry").inputValue(), "12 / 2030");
  }));

test("checkout: no card data after going back, and no field that looks like a password", { skip }, () =>
  visit(async (page) => {
    await fill(page);
    assert.equal(await page.locator("input[type=password]").count(), 0);
    assert.equal(await page.locator("#code").evaluate((input) => getComputedStyle(input).webkitTextSecurity), "disc");
    await page.goto(`${site.address}/checkout/?other`);
    await page.goBack();
    await page.locator("#number").waitFor();
    for (const name of ["number", "expiry", "code", "holder"]) assert.equal(await page.locator(`#${name}`).inputValue(), "", name);
  }));

test("checkout: shows errors at their field, after the payer has left it", { skip }, () =>
  visit(async (page, sent) => {
    const number = page.locator("#number");
    await number.pressSequentially("4111 11");
    await shows(error(page, "number"), "", "still typing");
    await number.blur();
    await shows(error(page, "number"), "This number is not complete");
    await number.fill("4111111111111112");
    await shows(error(page, "number"), "There is a mistake in this number");
    assert.equal(await number.getAttribute("aria-invalid"), "true");
    await page.locator("#expiry").fill("01 / 20");
    await page.locator("#expiry").blur();
    await shows(error(page, "expiry"), "This card has expired");
    await shows(error(page, "code"), "", "not visited");
    await page.getByRole("button", { name: /^Pay/ }).click();
    await shows(error(page, "code"), "Enter the code");
    await shows(error(page, "holder"), "Enter the name on the card");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "number", "the first mistake");
    assert.deepEqual(sent, [], "an invalid request is not sent");
    await picture(page, "mistakes");
  }));

test("checkout: sends a valid card, which is accepted", { skip }, () =>
  visit(async (page, sent) => {
    await page.route(/\/checkout\/[0-9a-f-]{36}$/, (route) => route.fulfill({ contentType: "text/html", body: "<title>a payment</title>" }));
    await fill(page);
    for (const name of ["number", "expiry", "code", "holder"]) await shows(error(page, name), "", name);
    await picture(page, "filled");
    await page.getByRole("button", { name: /^Pay/ }).click();
    // The page at this address is tested with a gateway.
    await page.waitForURL(/\/checkout\/[0-9a-f-]{36}$/);
    assert.equal(sent.length, 1);
    assert.deepEqual(sent[0].pay_in_details.card, { card_number: "4111111111111111", card_holder: "ANNA PETROVA", expiry_month: 12, expiry_year: 2000 + Number(nextYear), security_code: "123" });
  }));

test("checkout: shows violations of the server like those of the page", { skip }, () =>
  visit(async (page) => {
    await fill(page);
    // The server and the page have the same rules, so the test changes the request.
    await page.route("**/api/payments", (route) => {
      const body = route.request().postDataJSON();
      body.pay_in_details.card.security_code = "12";
      return route.fallback({ postData: JSON.stringify(body) });
    });
    await page.getByRole("button", { name: /^Pay/ }).click();
    await page.locator("#code[aria-invalid=true]").waitFor();
    await shows(error(page, "code"), /./);
    assert.equal(await page.evaluate(() => document.activeElement?.id), "code");
  }));

test("checkout: every input has a label, an error and autofill; nothing is wider than a phone", { skip }, async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const [device, viewport] of [["phone", { width: 360, height: 740 }], ["desktop", { width: 1280, height: 800 }]]) {
      await visit(async (page) => {
        for (const [label, autocomplete] of [["Card number", "cc-number"], ["Valid until", "cc-exp"], ["Security code", "cc-csc"], ["Name on the card", "cc-name"]]) {
          const input = page.getByLabel(label);
          assert.equal(await input.getAttribute("autocomplete"), autocomplete);
          const [described] = (await input.getAttribute("aria-describedby")).split(" ").slice(-1);
          assert.equal(await page.locator(`#${described}`).count(), 1);
        }
        const outside = await page.evaluate(() => {
          const { left, right } = document.querySelector("main").getBoundingClientRect();
          const boxes = [...document.querySelectorAll("main *")].map((element) => [element, element.getBoundingClientRect()]);
          return boxes.filter(([, box]) => box.left < left || box.right > right).map(([element]) => element.outerHTML);
        });
        assert.deepEqual(outside, [], device);
        await fill(page, { number: "5555555555554444", code: "12" });
        await page.locator("#code").blur();
        await picture(page, `${device}-${colorScheme}`);
      }, { viewport, colorScheme });
    }
  }
});
