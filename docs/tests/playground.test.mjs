// Tests the playground in Chromium, from a folder on disk. Its cards are those of `payspec validate`.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { browse, skip } from "../../wasm/tests/support/browser.mjs";
import { BOOK, DEVICES, visit } from "./pages.mjs";

const PROGRAM = process.env.PAYSPEC;
if (!PROGRAM) throw new Error("PAYSPEC is not set: cargo xtask test book sets it");

test("the playground shows each violation with its place and its decision", { skip }, () =>
  browse((browser) =>
    visit(browser, "playground/index.html", {}, async (page) => {
      assert.equal(await page.locator("#summary").innerText(), "The body is invalid: 2 errors, 1 warning.");
      assert.deepEqual(await page.locator("#violations a[href*=rules]").allInnerTexts(), ["amount_scale", "uri_scheme", "unknown_member"]);
      assert.match(await page.locator("#violations pre").first().innerText(), /"amount": "1500.50",\n +\^{9}$/);
      assert.match(await page.locator("#violations li").first().innerText(), /Line 6, column 13/);
      await page.getByLabel("Policy").fill('{"severity": {"unknown_member": "off"}}');
      assert.equal(await page.locator("#violations li").count(), 2);
      await page.getByLabel("Policy").fill('{"severity": {"unknown_member": "never"}}');
      assert.match(await page.locator("#summary").innerText(), /^The policy is not valid at \/severity\/unknown_member: /);
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

/** Bodies with names and values that are misspelled, legacy, missing, and in other places. */
// spelling: off
const BODIES = [
  '{"payment_type":"PAY_IN","mode":"P2P","currency":"RUB","amount":"15.555","return_url":"http://shop.example/ok","client":{"name":"A"}}',
  '{"payment_type":"payin","mode":"p2p","subtype":"sbpp","cur":"rub","amount":"990.50","mercant_id":"1","callbak":"x","дом":1}',
  '{"payment_type":"pay_in","mode":"ACQUIRING","subtype":"bankcard","cur":"EURO","amount":1,"host2host":true,\n "pay_in_details":{"card":{"card_numbr":"1","expiry_month":13},"ban_name":"😀"},\n\t"callback":"ftp://x.example/","amount":"2"}',
  '{"payment_type":"pay_out","subtype":"sbp","cur":"USDT","amount":"0","pay_out_details":{"phone":"+7","full_nam":""},"user_id":"a\\u0000b"}',
  '{"payment_type":"pay_in","mode":"CRYPTO","cur":"","amount":"1e3","redirecturl":"https://localhost","descripton":"x","Amount":"1","m~n":1,"a/b":2}',
  '{"payment_type":"pay_in",\n "amount": 100.00,,\n}',
  "[]",
  "{}",
  " ",
  '{"status":422,"body":{"violations":[{"path":"/cur"}]}}',
  '{"type":"urn:payspec:problem:invalid-request","violations":[]}',
];
// spelling: on

/** Returns what `payspec validate` prints: the note before the report, and code, place, label, and help of each violation. */
function printed(body) {
  const { stdout } = spawnSync(PROGRAM, ["validate", "-"], { input: body, encoding: "utf8", env: { COLUMNS: "200", NO_COLOR: "1" } });
  const blocks = stdout.split("\n\n");
  const note = blocks.find((block) => block.startsWith("note: "))?.slice(6) ?? "";
  const cards = blocks.filter((block) => /^(error|warning)\[/.test(block)).map((block) => ({
    code: block.match(/\[(.*?)\]/)[1],
    place: block.match(/--> <stdin>:(\d+:\d+)$/m)?.[1] ?? "",
    label: block.match(/\^+ (.*)$/m)?.[1] ?? "",
    help: (block.match(/= help: (.*)$/m)?.[1] ?? "").replaceAll("`", ""),
  }));
  return { note, cards };
}

test("cards have the places, labels, and help of the command line", { skip }, () =>
  browse((browser) =>
    visit(browser, "playground/index.html", { viewport: DEVICES.desktop }, async (page) => {
      let helps = 0;
      for (const body of BODIES) {
        await page.getByLabel("Body").fill(body);
        const shown = await page.evaluate(() => {
          const text = (element) => element?.textContent ?? "";
          const cards = [...document.querySelectorAll("#violations > li")].map((card) => ({
            code: text(card.querySelector("a")),
            place: (text(card.querySelector(".place")).match(/\d+/g) ?? []).join(":"),
            label: text(card.querySelector("pre")).match(/\^+ ?\n?(.*)$/)?.[1] ?? "",
            help: text(card.querySelector(".help")),
          }));
          return { note: text(document.getElementById("note")), cards };
        });
        const expected = printed(body);
        assert.equal(shown.note.toLowerCase().replace(/\.$/, ""), expected.note, body);
        assert.deepEqual(shown.cards, expected.cards, body);
        helps += expected.cards.filter(({ help }) => help !== "").length;
      }
      assert.ok(helps >= 12, `${helps} of the violations have a help`);
    })));

test("each card has its path, and its line fits into a phone", { skip }, () =>
  browse((browser) =>
    visit(browser, "playground/index.html", { viewport: DEVICES.phone }, async (page) => {
      await page.getByLabel("Body").fill(BODIES[0]);
      const paths = ["/payment_type", "/cur", "/currency", "/return_url", "/client"];
      assert.deepEqual(await page.locator("#violations .path").allInnerTexts(), paths);
      for (const shown of await page.locator("#violations li > pre").all()) {
        const { inside, wide } = await shown.evaluate((pre) => ({ inside: pre.clientWidth, wide: pre.scrollWidth }));
        assert.ok(wide <= inside, `${await shown.innerText()}: ${wide} of ${inside} pixels`);
        assert.match(await shown.innerText(), /\^/);
      }
      await page.getByLabel("Body").fill("{}");
      assert.deepEqual(await page.locator("#violations .path").allInnerTexts(), ["/payment_type", "/cur", "/amount"]);
    })));

test("an outcome shows its detail", { skip }, () =>
  browse((browser) =>
    visit(browser, "playground/index.html", {}, async (page) => {
      await page.getByLabel("Operation").selectOption("create_payment");
      await page.getByLabel("Body").fill('{"payment_type":"PAY_IN","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}');
      await page.getByLabel("Policy").fill('{"severity": {"unsupported_value": "warning"}}');
      assert.equal(await page.locator("#summary").innerText(), "422 Invalid request");
      assert.equal(await page.locator("#detail").innerText(), "A payment requires a valid /payment_type.");
      await page.getByLabel("Policy").fill('{"severity": {"url_https": "off"}}');
      assert.equal(await page.locator("#summary").innerText(), "The policy is not valid at /severity/url_https: not a code of a rule");
      assert.ok(await page.locator("#detail").isHidden());
    })));

test("the page of the book leads to the playground", { skip }, () =>
  browse((browser) =>
    visit(browser, "playground.html", {}, async (page) => {
      await page.waitForURL("**/playground/index.html");
      await page.getByLabel("Body").waitFor();
    })));
