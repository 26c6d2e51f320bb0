// Tests the console of `payspec sandbox` and the report of `payspec conform` in Chromium. PAYSPEC_CLI names the program.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { createSandbox } from "../../../wasm/js/sandbox.node.entry.js";
import * as axe from "../../../wasm/tests/support/axe.mjs";
import { browse, open } from "../../../wasm/tests/support/browser.mjs";

const DEVICES = [["phone", { width: 360, height: 740 }], ["desktop", { width: 1280, height: 900 }]];

let sandbox, receiver, callback;

before(async () => {
  sandbox = await createSandbox();
  let count = 0;
  // The first callback of all fails.
  receiver = createServer((request, response) => {
    count += 1;
    request.resume();
    response.writeHead(count === 1 ? 500 : 204).end();
  });
  await new Promise((ready) => receiver.listen(0, "127.0.0.1", ready));
  callback = `http://127.0.0.1:${receiver.address().port}/callback`;
});
after(() => {
  receiver.closeAllConnections();
  receiver.close();
  return sandbox.close();
});

async function pay(merchant, members) {
  const body = { payment_type: "pay_in", mode: "P2P", subtype: "bank_card", cur: "RUB", amount: "1500.00", ...members };
  const response = await fetch(`${merchant.api}/v1/payments/new`, { method: "POST", headers: { authorization: `Bearer ${merchant.token}`, "content-type": "application/json" }, body: JSON.stringify(body) });
  assert.equal(response.status, 201);
  return (await response.json()).uid;
}

/** Opens an address for `work`. Fails if the browser reports errors or blocked sources. */
async function visit(at, work, { expected, ...options } = {}) {
  await browse(async (browser) => {
    const { page, complaints } = await open(browser, at, options);
    await page.evaluate(() => {
      window.blocked = [];
      document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => window.blocked.push(`${violatedDirective} ${blockedURI}`));
    });
    await work(page);
    assert.deepEqual(await page.evaluate(() => window.blocked ?? []), [], "blocked by the Content-Security-Policy");
    assert.deepEqual(complaints.filter((line) => !expected?.test(line)), []);
  });
}

async function scan(page, about) {
  await axe.scan(page, about);
  // A phone shows the page without scrolling sideways.
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${about}: too wide`);
}

const row = (page, text) => page.locator("#payments button", { hasText: text });
const console = (merchant) => `${sandbox.api}/sandbox?merchant=${merchant.name}`;

for (const colorScheme of ["light", "dark"]) {
  for (const [device, viewport] of DEVICES) {
    test(`axe finds nothing: ${device}, ${colorScheme}`, async () => {
      const merchant = await sandbox.merchant(`axe-${device}-${colorScheme}`);
      await visit(
        console(merchant),
        async (page) => {
          await page.locator("#empty").waitFor();
          await scan(page, "empty");
          const uid = await pay(merchant, { callback });
          await pay(merchant, (await merchant.scenarios()).fail_expired_card.trigger);
          await merchant.failNext({ count: 2, status: 503 });
          await merchant.advance(2);
          await row(page, "1500.00").click();
          await page.locator("#uid", { hasText: uid }).waitFor();
          for (const summary of await page.locator("details > summary").all()) await summary.click();
          await scan(page, "a payment with callbacks");
          await page.getByRole("button", { name: "correction" }).click();
          await page.locator("#timeline .state", { hasText: "correction" }).waitFor();
          await scan(page, "corrected");
        },
        { viewport, colorScheme },
      );
    });
  }
}

test("it updates live, and shows the timeline, the request, the response, and the callbacks", async () => {
  const merchant = await sandbox.merchant("live");
  await visit(console(merchant), async (page) => {
    await page.locator("#live.on").waitFor();
    const uid = await pay(merchant, { callback, ...(await merchant.scenarios()).completed_by_card.trigger });
    await row(page, "1500.00").click();
    await page.locator("#timeline >> text=due").waitFor();
    await merchant.advance(2);
    await page.locator("#state", { hasText: "completed" }).waitFor();
    assert.deepEqual(await page.locator("#timeline .state").allTextContents(), ["idle", "routed", "completed"]);
    const [delivery] = await merchant.deliveries(uid);
    await page.locator("#deliveries details").first().locator("summary").click();
    assert.match(await page.locator("#deliveries pre").first().textContent(), new RegExp(`webhook-id: ${delivery.event}`));
    assert.match(await page.locator("#request").textContent(), /"card_number": "400000\*{6}0101"/);
    assert.match(await page.locator("#response").textContent(), /"state": "idle"/);
    assert.match(await page.locator("#current").textContent(), /"state": "completed"/);
    assert.doesNotMatch(await page.content(), /4000000000000101.*4000000000000101/s, "a card number outside the table of scenarios");
    await page.getByRole("button", { name: "Repeat the event routed" }).first().click();
    await page.locator("#deliveries >> text=attempt 2").first().waitFor();
  });
});

test("there is a button for each possible state, and it works", async () => {
  const merchant = await sandbox.merchant("advance");
  const uid = await pay(merchant);
  await visit(`${console(merchant)}#${uid}`, async (page) => {
    const buttons = page.locator("#transitions button");
    await buttons.first().waitFor();
    assert.deepEqual(await buttons.allTextContents(), ["routed", "completed", "not_fully", "fail", "cancel", "chargeback", "correction"]);
    await page.getByRole("button", { name: "fail", exact: true }).click();
    await page.locator("#state", { hasText: "fail" }).waitFor();
    assert.match(await page.locator("#current").textContent(), /"fail_code": "insufficient_funds"/);
    assert.deepEqual(await buttons.allTextContents(), ["cancel", "chargeback", "correction"]);
    await page.getByLabel("amount", { exact: true }).fill("0");
    await page.getByRole("button", { name: "correction" }).click();
    await page.getByRole("alert").filter({ hasText: "amount" }).waitFor();
  }, { expected: /status of 422/ });
});

test("a change while a button is pressed does not lose the click", async () => {
  const merchant = await sandbox.merchant("pressed");
  const uid = await pay(merchant);
  await visit(console(merchant), async (page) => {
    await page.locator("#live.on").waitFor();
    await row(page, "1500.00").hover();
    await page.mouse.down();
    const changed = page.waitForResponse((response) => new URL(response.url()).pathname === "/sandbox/payments");
    await pay(merchant, { amount: "2000.00" });
    await (await changed).finished();
    // Long enough for the page to show the second payment, if it does not wait for the release.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 200)));
    await page.mouse.up();
    await page.locator("#uid", { hasText: uid }).waitFor();
    await row(page, "2000.00").waitFor();
  });
});

test("it works with the keyboard", async () => {
  const merchant = await sandbox.merchant("keyboard");
  await visit(console(merchant), async (page) => {
    await page.locator("#live.on").waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the payments");
    await page.getByLabel("Scenario of a new payment").focus();
    await page.keyboard.type("not_fully");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator("#about", { hasText: "not_fully" }).waitFor();
    await page.getByRole("button", { name: "+1 min" }).focus();
    await page.keyboard.press("Enter");
    await page.locator("#state", { hasText: "not_fully" }).waitFor();
    await row(page, "7002.00").focus();
    await merchant.advance(1);
    await page.waitForFunction(() => document.activeElement.dataset.key !== undefined, undefined, { timeout: 5000 });
    await page.getByRole("button", { name: "Reset" }).focus();
    await page.keyboard.press("Space");
    await page.locator("#empty").waitFor();
  });
});

test("the clock runs and stops", async () => {
  const merchant = await sandbox.merchant("clock");
  await visit(console(merchant), async (page) => {
    await page.getByText("Clock, stopped").waitFor();
    const before = await page.locator("#now").textContent();
    await page.getByRole("button", { name: "+1 day" }).click();
    await page.waitForFunction((text) => document.getElementById("now").textContent.slice(0, 10) > text.slice(0, 10), before);
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("Clock, running").waitFor();
    const uid = await pay(merchant);
    await row(page, "1500.00").click();
    await page.locator("#state", { hasText: "completed" }).waitFor();
    assert.equal((await merchant.payments())[0].uid, uid);
  });
});

test("the report of conform is a page without a mistake", async () => {
  const folder = mkdtempSync(join(tmpdir(), "payspec-report-"));
  const file = join(folder, "report.html");
  await promisify(execFile)(process.env.PAYSPEC_CLI, ["conform", "--url", sandbox.api, "--token", "sandbox_report", "--format", "html", "--output", file]);
  for (const colorScheme of ["light", "dark"]) {
    for (const [device, viewport] of DEVICES) {
      await visit(pathToFileURL(file).href, async (page) => {
        await page.getByText("Conforms", { exact: true }).waitFor();
        await scan(page, `${device}, ${colorScheme}`);
      }, { viewport, colorScheme });
    }
  }
  rmSync(folder, { recursive: true });
});
