// Tests accessibility: with the keyboard, for screen readers (axe), in light and dark, on phones.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as axe from "../../../wasm/tests/support/axe.mjs";
import { fill, focused, gateway, isShown, nextYear, pay, picture, reaches, uidOf, visit } from "./support.js";

const shop = gateway();

/** Checks the page with axe. */
async function scan(page, about) {
  // Contrast is measured after color transitions.
  await page.evaluate(() => Promise.all(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished)));
  await axe.scan(page, about);
}

/** The titles of the page of a payment. */
const TITLES = {
  "en-US": { sent: "Payment sent", completed: "Payment completed", failed: "Payment failed", missing: "No such payment" },
  "ru-RU": { sent: "Платёж отправлен", completed: "Платёж выполнен", failed: "Платёж не прошёл", missing: "Платёж не найден" },
};

const DEVICES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } };

/** Every pair of values of two settings, in half of the combinations. */
const SETTINGS = [
  ["en-US", "phone", "light"],
  ["en-US", "desktop", "dark"],
  ["ru-RU", "phone", "dark"],
  ["ru-RU", "desktop", "light"],
];

for (const [locale, device, colorScheme] of SETTINGS) {
  const titles = TITLES[locale];
  test(`axe finds nothing: ${locale}, ${device}, ${colorScheme}`, () =>
    visit(shop.base, async (page) => {
      const submit = page.locator("form button");
      const method = (name) => page.locator(`input[value=${name}]`).check();
      const check = async (about) => {
        await isShown(page);
        await scan(page, about);
        await picture(page, `${about}-${locale}-${device}-${colorScheme}`);
      };
      await check("empty");
      await submit.click();
      await check("errors");
      for (const [number, code] of [["5555555555554444", "123"], ["2200000000000004", "123"], ["378282246310005", "1234"], ["4111111111111111", "123"]]) {
        await fill(page, { number, code });
        await check(`filled-${number}`);
      }
      await method("sbp");
      await check("sbp");
      await method("crypto");
      await page.locator("#quote[aria-busy=false]").waitFor();
      await check("usdt");
      await submit.click();
      await reaches(page, titles.sent);
      await check("sent");
      await shop.advance(uidOf(page), "completed");
      await reaches(page, titles.completed);
      await check("completed");
      await page.goto(shop.base);
      await method("sbp");
      await submit.click();
      await reaches(page, titles.sent);
      await shop.advance(uidOf(page), "fail", "--fail-by", "bank", "--fail-code", "declined");
      await reaches(page, titles.failed);
      await check("failed");
      await page.goto(`${shop.base}nothing`);
      await reaches(page, titles.missing);
      await check("missing");
    }, { viewport: DEVICES[device], colorScheme, locale, expected: /status of 404/ }));
}

test("pays with the keyboard after a correction, and returns to the shop", () =>
  visit(shop.base, async (page) => {
    const { keyboard } = page;
    const tab = () => keyboard.press("Tab");
    await tab();
    assert.equal(await focused(page), "language");
    await tab();
    assert.equal(await page.evaluate(() => document.activeElement?.value), "card");
    // The methods are one tab stop. The arrow keys choose.
    await keyboard.press("ArrowRight");
    assert.equal(await page.getByLabel("SBP").isChecked(), true);
    await keyboard.press("ArrowLeft");
    await tab();
    await keyboard.type("4111111111111112");
    await tab();
    await keyboard.type(`12${nextYear}`);
    await tab();
    await keyboard.type("123");
    await tab();
    await keyboard.type("ANNA PETROVA");
    await tab();
    assert.equal(await focused(page), "BUTTON");
    await keyboard.press("Space");
    assert.equal(await focused(page), "number", "the first mistake");
    await keyboard.press("End");
    await keyboard.press("Backspace");
    await keyboard.type("1");
    await keyboard.press("Enter");
    await reaches(page, "Payment sent");
    await shop.advance(uidOf(page), "completed");
    await reaches(page, "Payment completed");
    await page.getByRole("link", { name: "Back to the shop" }).waitFor();
    await tab();
    assert.equal(await focused(page), "language");
    await tab();
    assert.match(await page.evaluate(() => document.activeElement?.textContent), /^Back to the shop127\.0\.0\.1:\d+$/);
    await keyboard.press("Enter");
    await page.locator("#number").waitFor();
  }));

test("marks the focus, and describes errors", () =>
  visit(shop.base, async (page) => {
    await page.keyboard.press("Tab");
    assert.notEqual(await page.locator("#language").evaluate((button) => getComputedStyle(button).outlineStyle), "none");
    await page.keyboard.press("Tab");
    assert.notEqual(await page.locator(".methods label").first().evaluate((label) => getComputedStyle(label).outlineStyle), "none");
    await pay(page).click();
    for (const name of ["number", "expiry", "code", "holder"]) {
      const input = page.locator(`#${name}`);
      const ids = (await input.getAttribute("aria-describedby")).split(" ");
      assert.ok(ids.includes(`${name}-error`), name);
      for (const id of ids) assert.equal(await page.locator(`#${id}`).count(), 1, id);
    }
  }));

for (const locale of Object.keys(TITLES)) {
  test(`nothing is wider than a phone, also at large type: ${locale}`, () =>
    visit(shop.base, async (page) => {
      for (const size of ["16px", "24px"]) {
        await page.evaluate((size) => document.documentElement.style.setProperty("font-size", size), size);
        for (const method of ["card", "sbp", "crypto"]) {
          await page.locator(`input[value=${method}]`).check();
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(width <= 320, `${method} at ${size}: ${width}`);
        }
      }
    }, { viewport: { width: 320, height: 640 }, locale }));
}
