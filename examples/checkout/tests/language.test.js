// Tests the languages of the page: which one it has, the switch, the texts, and that nothing moves.

import assert from "node:assert/strict";
import { test } from "node:test";
import { RUSSIAN, error, fill, focused, gateway, isShown, pay, picture, reaches, shows, uidOf, visit } from "./support.js";

const shop = gateway();
const language = (page) => page.evaluate(() => document.documentElement.lang);
const DEVICES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } };

/** Opens the page in a browser with these languages. */
const speaks = (languages, work) =>
  visit("about:blank", async (page) => {
    await page.addInitScript((languages) => Object.defineProperty(navigator, "languages", { get: () => languages }), languages);
    await page.goto(shop.base);
    await page.locator("#number").waitFor();
    await work(page);
  });

test("has the first language of the browser that it knows", async () => {
  for (const [languages, expected] of [
    [["en-US"], "en"],
    [["en"], "en"],
    [["ru-RU"], "ru"],
    [["ru"], "ru"],
    [["RU-ru"], "ru"],
    [["de-DE", "ru-RU", "en-US"], "ru"],
    [["de-DE", "en-GB", "ru-RU"], "en"],
    [["de-DE"], "en"],
    [["rue"], "en"],
    [[], "en"],
  ]) {
    await speaks(languages, async (page) => assert.equal(await language(page), expected, languages.join()));
  }
});

test("formats amounts and dates for the region of the browser", async () => {
  for (const [languages, amount] of [[["en-US"], "Pay RUB 1,500.00"], [["en-IN", "en"], "Pay RUB 1,500.00"], [["en-ZA"], "Pay RUB 1 500,00"], [["ru-RU"], "Заплатить 1 500,00 ₽"], [["de-DE"], "Pay RUB 1,500.00"]]) {
    await speaks(languages, (page) => shows(page.locator("form button"), amount, languages.join()));
  }
});

test("the switch works with the keyboard, keeps what was typed, and is remembered", () =>
  visit(shop.base, async (page) => {
    const button = page.locator("#language");
    await fill(page, { number: "4111111111111112", code: "12" });
    await pay(page).click();
    await shows(error(page, "number"), "There is a mistake in this number");
    await shows(button, "Русский");
    assert.equal(await button.getAttribute("lang"), "ru");
    await button.focus();
    await page.keyboard.press("Enter");
    await shows(button, "English");
    assert.deepEqual([await language(page), await button.getAttribute("lang"), await focused(page)], ["ru", "en", "language"]);
    await shows(page.locator("#summary h2"), "Проверьте 2 поля");
    assert.deepEqual(await page.locator("#summary a").allTextContents(), ["В номере ошибка", "В коде 3 цифры"]);
    await shows(error(page, "number"), "В номере ошибка");
    await shows(error(page, "code"), "В коде 3 цифры");
    assert.equal(await page.locator("#number").inputValue(), "4111 1111 1111 1112");
    assert.equal(await page.title(), "Оплата 1\u00a0500,00\u00a0₽ · Example Shop");
    await picture(page, "switched");
    await page.reload();
    await shows(button, "English");
    assert.equal(await language(page), "ru", "remembered");
    assert.deepEqual(await page.evaluate(() => ({ ...localStorage })), { "payspec-language": "ru" }, "nothing else is stored");
    await button.press("Space");
    await shows(button, "Русский");
    await page.reload();
    await shows(button, "Русский");
    assert.equal(await language(page), "en");
  }));

test("an invalid choice in the storage is ignored", () =>
  visit(shop.base, async (page) => {
    for (const choice of ["xx", "", "ru<script>", "__proto__"]) {
      await page.evaluate((choice) => localStorage.setItem("payspec-language", choice), choice);
      await page.reload();
      await shows(page.locator("#language"), "Русский", choice);
    }
  }));

test("stays in English if the other texts cannot be loaded", () =>
  visit("about:blank", async (page) => {
    await page.route("**/assets/ru-*.js", (route) => route.abort());
    await page.goto(shop.base);
    await shows(page.locator("#language"), "Русский");
    await page.locator("#language").click();
    await page.locator("#number").fill("4111");
    await shows(page.locator("#how"), "How would you like to pay?");
    assert.equal(await language(page), "en");
    // A later attempt may succeed.
    await page.unroute("**/assets/ru-*.js");
    await page.reload();
    await shows(page.locator("#how"), "Как вы хотите заплатить?");
  }, { expected: /ERR_FAILED/, ...RUSSIAN }));

/** Latin words that a Russian page has: names, codes, and what the service has sent. */
const LATIN = /Example Shop|USDT|Visa|CVV|English|[0-9a-f]{8}-[0-9a-f-]{27}|127\.0\.0\.1:\d+|insufficient_funds|bank|shop-42/g;

/** Fails if a visible text is English, or an element has no text. */
async function isRussian(page, about) {
  await isShown(page);
  const found = await page.evaluate(() => {
    const inputs = [...document.querySelectorAll("input")].map(({ placeholder }) => placeholder);
    const labels = [...document.querySelectorAll("[aria-label]")].map((element) => element.getAttribute("aria-label"));
    const empty = [...document.querySelectorAll("[data-text]")].filter(({ textContent }) => textContent === "");
    return { text: [document.body.innerText, document.title, ...inputs, ...labels].join("\n"), empty: empty.map(({ outerHTML }) => outerHTML) };
  });
  assert.deepEqual(found.text.replace(LATIN, "").match(/[A-Za-z]{2,}/g), null, about);
  assert.deepEqual(found.empty, [], about);
}

/** Ends of a payment by SBP with their titles, texts, and links in Russian. */
const ENDS = [
  [["completed"], "Платёж выполнен", /^Спасибо\. Вы заплатили 1 500,00 ₽\.$/, "Вернуться в магазин"],
  [["not_fully", "--paid-amount", "900.00"], "Оплачено частично", /^Поступило 900,00 ₽ из 1 500,00 ₽\./, "Вернуться в магазин"],
  [["fail", "--fail-by", "bank", "--fail-code", "insufficient_funds"], "Платёж не прошёл", /^На счёте недостаточно денег\.$/, "Повторить"],
  [["cancel"], "Платёж отменён", /деньги вернутся к вам/, "Вернуться в магазин"],
  [["chargeback"], "Платёж оспорен", /потребовал вернуть/, "Вернуться в магазин"],
];

for (const [words, heading, explained, action] of ENDS) {
  test(`in Russian: ${words.join(" ")}`, () =>
    visit(shop.base, async (page) => {
      await page.locator("input[value=sbp]").check();
      await isRussian(page, "SBP");
      await page.locator("form button").click();
      await reaches(page, "Платёж отправлен");
      await shows(page.locator("[data-state-text]"), "Подтвердите платёж в приложении своего банка.");
      await isRussian(page, "sent");
      await shop.advance(uidOf(page), ...words);
      await reaches(page, heading);
      await shows(page.locator("[data-state-text]"), explained);
      await page.getByRole("link", { name: action }).waitFor();
      await shows(page.locator("[data-details]"), /^Сумма1 500,00 ₽Способ оплатыСБПСоздан\d{1,2} [а-я]{3,5}\.? \d{4} г\., \d\d:\d\d/);
      await isRussian(page, heading);
      assert.equal(await page.title(), `${heading} · shop-42`);
      // The switch is on this page too, and changes everything in place.
      await page.locator("#language").click();
      await shows(page.locator("[data-details]"), /^AmountRUB 1,500\.00Paid withSBPCreated/);
      assert.doesNotMatch(await page.locator("#payment").textContent(), /[А-Яа-яё]/);
      await page.locator("#language").click();
      await reaches(page, heading);
    }, RUSSIAN));
}

test("in Russian: the form, its errors, and the price in USDT", () =>
  visit(shop.base, async (page) => {
    await isRussian(page, "empty");
    await page.locator("form button").click();
    await shows(page.locator("#summary h2"), "Проверьте 4 поля");
    await isRussian(page, "errors");
    for (const [card, field, message] of [
      [{ number: "4111 11" }, "number", "Номер введён не полностью"],
      [{ expiry: "1330" }, "expiry", "Месяц: от 01 до 12"],
      [{ expiry: "1220" }, "expiry", "Срок действия карты истёк"],
      [{ expiry: "122199" }, "expiry", "Проверьте год"],
      [{ number: "378282246310005", code: "123" }, "code", "В коде 4 цифры"],
      [{ number: "", code: "12" }, "code", "В коде 3 или 4 цифры"],
      [{ holder: "A".repeat(256) }, "holder", "Слишком длинное имя"],
      [{ holder: "4111 1111 1111 1111" }, "holder", "Это номер: введите здесь имя"],
    ]) {
      await fill(page, card);
      await page.locator("form button").click();
      await shows(error(page, field), message, JSON.stringify(card));
    }
    await page.locator("input[value=crypto]").check();
    await shows(page.locator("#quote"), /16,224986 USDT.*1 USDT = 92,45 ₽/s);
    await shows(page.locator("form button"), "Заплатить 16,224986 USDT");
    await isRussian(page, "USDT");
  }, RUSSIAN));

test("in Russian: problems, and violations of the service at their field", () =>
  visit(shop.base, async (page) => {
    const problem = page.locator("form .problem");
    const answer = (status, body) => page.route("**/api/payments", (route) => route.fulfill({ status, contentType: "application/json", body: JSON.stringify({ ...body, status }) }));
    await fill(page);
    for (const [status, body, text] of [
      [409, { code: "idempotency_conflict" }, /^Этот платёж уже отправлен/],
      [503, {}, /^Платёжный сервис перегружен/],
      [404, {}, /^Сейчас эта страница не принимает платежи/],
      [455, { code: "amount_too_small" }, /^Эта сумма слишком мала/],
    ]) {
      await answer(status, body);
      await page.locator("form button").click();
      await shows(problem, text);
      await page.unroute("**/api/payments");
    }
    await page.locator("#language").click();
    await shows(problem, /^This amount is too small/);
    await page.locator("#language").click();
    await shows(problem, /^Эта сумма слишком мала/);
    const violations = [{ path: "/pay_in_details/card/card_number", code: "card_number_checksum", severity: "error", message: "the card number's check digit does not match", source: "D6" }];
    await answer(422, { code: "invalid_request", violations });
    await page.locator("form button").click();
    await shows(error(page, "number"), "В номере ошибка");
    assert.equal(await focused(page), "number");
    await page.locator("#language").click();
    await shows(error(page, "number"), "There is a mistake in this number");
  }, { expected: /Failed to load resource/, ...RUSSIAN }));

test("in Russian: an address without a payment, and a lost connection", () =>
  visit(shop.base, async (page) => {
    await page.locator("input[value=sbp]").check();
    await page.locator("form button").click();
    await reaches(page, "Платёж отправлен");
    await page.route("**/api/payments/*", (route) => route.abort("connectionrefused"));
    await shows(page.locator("[data-contact]"), /^Нет связи с платёжным сервисом/);
    await page.unroute("**/api/payments/*");
    await page.goto(`${shop.base}nothing`);
    await reaches(page, "Платёж не найден");
    await page.getByRole("link", { name: "Перейти в магазин" }).waitFor();
    await isRussian(page, "missing");
  }, { expected: /status of 404|ERR_CONNECTION_REFUSED/, ...RUSSIAN }));

for (const [device, viewport] of Object.entries(DEVICES)) {
  test(`nothing moves when the language changes: ${device}`, () =>
    visit(shop.base, async (page) => {
      const boxes = () =>
        page.evaluate(() =>
          Object.fromEntries(
            [...document.querySelectorAll("#checkout, .order, .shop, h1, .lines div, form, legend, .methods label, .field, .box, input, .error, form button")]
              .filter((element) => element.checkVisibility())
              .map((element, index) => {
                const { left, top } = element.getBoundingClientRect();
                return [`${index} ${element.id || element.className || element.tagName}`, [left, top].map(Math.round).join()];
              }),
          ),
        );
      for (const method of ["card", "sbp", "crypto"]) {
        await page.locator(`input[value=${method}]`).check();
        if (method === "crypto") await page.locator("#quote[aria-busy=false]").waitFor();
        const before = await boxes();
        await page.locator("#language").click();
        await shows(page.locator("#language"), "English");
        assert.deepEqual(await boxes(), before, method);
        await page.locator("#language").click();
        await shows(page.locator("#language"), "Русский");
      }
    }, { viewport }));
}

test("without scripts, both languages report it", () =>
  visit(shop.base, async (page) => {
    const [english, russian] = [page.locator("noscript p").first(), page.locator("noscript p").last()];
    await english.waitFor();
    await shows(english, /^This page needs JavaScript/);
    await shows(russian, /^Этой странице нужен JavaScript/);
    assert.deepEqual([await russian.isVisible(), await russian.getAttribute("lang")], [true, "ru"]);
    assert.equal(await page.locator("#late").isVisible(), false);
    await picture(page, "without-scripts");
  }, { javaScriptEnabled: false }));

test("without modules, both languages report it after some seconds", async () => {
  for (const reducedMotion of ["no-preference", "reduce"]) {
    await visit("about:blank", async (page) => {
      await page.route("**/*.js", (route) => route.abort());
      await page.addInitScript(() => {
        const isShown = () => document.querySelector("#late").checkVisibility({ visibilityProperty: true });
        document.addEventListener("DOMContentLoaded", () => Object.assign(window, { isLateShown: isShown() }));
      });
      await page.goto(shop.base);
      assert.equal(await page.evaluate(() => window.isLateShown), false, "a page that still loads shows no error");
      await page.getByText("The page could not be started").waitFor();
      await page.getByText("Страница не запустилась").waitFor();
      await picture(page, "without-modules");
    }, { expected: /ERR_FAILED/, reducedMotion });
  }
});
