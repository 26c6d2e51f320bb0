// Tests that the page runs no foreign scripts, and does not keep or show card numbers.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { PATIENCE_MS, browse, open, serve } from "../../../wasm/tests/support/browser.mjs";
import { NUMBER, RUSSIAN, fill, gateway, isShown, pay, reaches, shows, uidOf, visit } from "./support.js";

const shop = gateway();

test("serves the page with a Content-Security-Policy without foreign sources", async () => {
  for (const at of [shop.base, `${shop.base}0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11`]) {
    const response = await fetch(at);
    assert.equal(response.status, 200, at);
    const policy = Object.fromEntries(response.headers.get("content-security-policy").split("; ").map((part) => [part.split(" ")[0], part.split(" ").slice(1).join(" ")]));
    assert.equal(policy["default-src"], "'none'");
    assert.equal(policy["script-src"], "'self' 'wasm-unsafe-eval'");
    assert.equal(policy["style-src"], "'self'");
    assert.equal(policy["connect-src"], "'self'");
    assert.equal(policy["frame-ancestors"], "'none'");
    assert.equal(policy["require-trusted-types-for"], "'script'");
    assert.equal(response.headers.get("cross-origin-opener-policy"), "same-origin");
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.match(response.headers.get("permissions-policy"), /camera=\(\)/);
  }
});

test("each script and style sheet has the hash of the inventory", async () => {
  const { page, scripts, styles } = await fetch(`${shop.base}inventory.json`).then((answer) => answer.json());
  const html = await fetch(shop.base).then((answer) => answer.text());
  const hash = (bytes) => `sha384-${createHash("sha384").update(bytes).digest("base64")}`;
  assert.equal(hash(html), page.integrity);
  const tags = [...html.matchAll(/<(?:script|link)\b[^>]*(?:src|href)="\/checkout\/([^"]+)"[^>]*>/g)];
  assert.deepEqual(tags.map(([, path]) => path).sort(), [...scripts, ...styles].map(({ path }) => path).sort());
  assert.equal(html.match(/<script\b/g).length, 1, "the others are imported");
  for (const { path, integrity } of [...scripts, ...styles]) {
    assert.ok(tags.find(([, found]) => found === path)[0].includes(`integrity="${integrity}"`), path);
    const bytes = await fetch(shop.base + path).then((answer) => answer.arrayBuffer());
    assert.equal(hash(Buffer.from(bytes)), integrity, path);
  }
  assert.ok(scripts.every(({ purpose }) => purpose.length > 10));
});

test("runs no script that was changed on the way", async () => {
  // The first script is that of the form, and the other one contains the texts of a language, which the first one imports.
  for (const [name, options] of [["index", {}], ["ru", RUSSIAN]]) {
    await browse(async (browser) => {
      const { page } = await open(browser, "about:blank", options);
      await page.route(`**/assets/${name}-*.js`, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: `window.changed = true; ${await response.text()}` });
      });
      const refused = page.waitForEvent("console", (message) => /valid digest/.test(message.text()));
      await page.goto(shop.base);
      await refused;
      assert.equal(await page.evaluate(() => window.changed), undefined, name);
    });
  }
});

test("turns no text into HTML or a script", () =>
  visit(shop.base, async (page) => {
    const errors = await page.evaluate(() => {
      const script = document.createElement("script");
      const main = document.querySelector("main");
      const assignments = [() => (main.innerHTML = "<b>x</b>"), () => (main.outerHTML = "<b>x</b>"), () => (script.textContent = "1"), () => (script.src = "/x.js")];
      return assignments.map((assign) => {
        try {
          return assign();
        } catch ({ name }) {
          return name;
        }
      });
    });
    assert.deepEqual(errors, Array(4).fill("TypeError"));
    await page.evaluate(() => void (window.blocked = []));
  }, { expected: /Trusted/ }));

test("blocks and reports a script in the page", () =>
  browse(async (browser) => {
    const { page, complaints } = await open(browser, "about:blank");
    await page.route(shop.base, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace("</head>", "<script>window.foreign = true</script></head>");
      // Chromium without windows has no Reporting API, so it reports as browsers without `report-to` do.
      const policy = response.headers()["content-security-policy"].replace("; report-to page", "");
      await route.fulfill({ response, body, headers: { ...response.headers(), "content-security-policy": policy } });
    });
    await page.goto(shop.base);
    await isShown(page);
    assert.equal(await page.evaluate(() => window.foreign), undefined);
    assert.match(complaints.join(), /Content Security Policy/);
    if (shop.log !== undefined) await until(() => shop.log().includes('"directive":"script-src-elem"'), "a report in the log");
  }));

/** Waits until a condition holds. */
async function until(condition, about) {
  const end = Date.now() + PATIENCE_MS;
  while (!condition()) {
    assert.ok(Date.now() < end, about);
    await new Promise((wait) => setTimeout(wait, 50));
  }
}

/** Returns the fields of the card that have a value. */
const filled = (page) => page.evaluate(() => ["number", "expiry", "code", "holder"].filter((name) => document.getElementById(name).value !== ""));

/** Fills in the card, leaves the page, and goes back. `slow`: the answer with the order comes late. */
async function returnTo(page, address, { slow = false } = {}) {
  if (slow) {
    await page.route("**/api/sessions/*", async (route) => {
      await new Promise((wait) => setTimeout(wait, 1000));
      await route.continue();
    });
  }
  await page.goto(address);
  await isShown(page);
  await page.locator("#number").waitFor();
  await fill(page, { code: "987" });
  assert.equal((await filled(page)).length, 4);
  await page.goto(address.replace("127.0.0.1", "localhost").replace("checkout/", "healthz"));
  await page.goBack();
  await page.locator("#number").waitFor();
}

test("going back restores nothing of the card", async () => {
  const session = await fetch(`${shop.base}api/sessions`, { method: "POST" }).then((answer) => answer.json());
  for (const [address, options] of [[shop.base, {}], [`${shop.base}?session=${session.id}`, { slow: true }]]) {
    await visit("about:blank", async (page) => {
      await returnTo(page, address, options);
      assert.deepEqual(await filled(page), [], address);
    });
  }
});

// Chromium without windows keeps no page, so the test sends the events of one.
test("a page that the browser keeps contains nothing of the card, and clears what is restored", () =>
  visit(shop.base, async (page) => {
    const events = [["pagehide", true], ["pageshow", true]];
    for (const [type, persisted] of events) {
      await fill(page, { code: "987" });
      await page.evaluate(([type, persisted]) => void window.dispatchEvent(new PageTransitionEvent(type, { persisted })), [type, persisted]);
      assert.deepEqual(await filled(page), [], type);
    }
  }));

test("sends a card number only in one request", () =>
  visit(shop.base, async (page) => {
    const logged = [];
    const requests = [];
    page.on("console", (message) => logged.push(message.text()));
    page.on("request", (request) => requests.push({ url: request.url(), body: request.postData() ?? "" }));
    await fill(page, { code: "987" });
    const groups = NUMBER.replace(/(.{4})(?=.)/g, "$1 ");
    const kept = () => page.evaluate(async () => {
      const databases = (await indexedDB.databases()).map(({ name }) => name);
      return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state, window.name, databases, await caches.keys()]);
    });
    const clean = (text, about) => {
      for (const secret of [NUMBER, groups, "987"]) assert.ok(!text.includes(secret), `${about} contains ${secret}`);
    };
    clean(await kept(), "the browser, before");
    await pay(page).click();
    await reaches(page, "Payment sent");
    const uid = uidOf(page);
    await shop.advance(uid, "completed");
    await reaches(page, "Payment completed");
    const stored = (await kept()).replaceAll(uid, "");
    clean(stored, "the browser, after");
    assert.equal(stored.slice(0, 9), '[{},{},""', "nothing is stored");
    clean((await page.content()).replaceAll(uid, ""), "the page");
    clean(logged.join("\n"), "the console");
    clean(requests.map(({ url }) => url).join("\n").replaceAll(uid, ""), "an address");
    const carriers = requests.filter(({ body }) => body.includes(NUMBER));
    assert.deepEqual(carriers.map(({ url }) => url), [`${shop.base}api/payments`]);
    assert.ok(shop.log().includes("a creation request"), "bodies are logged, redacted");
    assert.ok(!shop.log().includes(NUMBER), "the gateway's log");
    const database = shop.stored();
    assert.ok(database.includes(uid) && !database.includes(NUMBER), "the gateway's database");
  }));

test("is shown in no frame", async () => {
  // Of another origin, and of another site.
  for (const host of ["127.0.0.1", "localhost"]) {
    const other = await serve({ "/page.html": `<!doctype html><title>another page</title><iframe src="${shop.base}"></iframe>` }, {});
    try {
      await browse(async (browser) => {
        const { page, complaints } = await open(browser, `${other.address.replace("127.0.0.1", host)}/page.html`);
        const frames = page.frames().filter((frame) => frame !== page.mainFrame());
        assert.equal(frames.length, 1, host);
        assert.match(frames[0].url(), /^chrome-error:/, host);
        assert.equal(await frames[0].locator("#number").count(), 0, host);
        assert.match(complaints.join(), /frame-ancestors/, host);
      });
    } finally {
      await other.close();
    }
  }
});

test("has no worker, and no messages of other windows", async () => {
  const { scripts } = await fetch(`${shop.base}inventory.json`).then((answer) => answer.json());
  for (const { path } of scripts) {
    const text = await fetch(shop.base + path).then((answer) => answer.text());
    assert.doesNotMatch(text, /serviceWorker|SharedWorker|new Worker|postMessage|onmessage|addEventListener\(["'`]message/, path);
  }
});

test("inserts values of a payment as text", () =>
  visit(shop.base, async (page) => {
    await page.getByLabel("SBP").check();
    await pay(page).click();
    await reaches(page, "Payment sent");
    const evil = "<img src=x onerror=alert(1)>";
    await shop.advance(uidOf(page), "fail", "--fail-by", evil, "--fail-code", evil);
    await reaches(page, "Payment failed");
    assert.equal(await page.locator("#payment img").count(), 0);
    await shows(page.locator("[data-details]"), /<img src=x onerror=alert\(1\)>/);
  }));

test("a page of another origin creates no payment and reads none", async () => {
  const evil = await serve({ "/page.html": "<!doctype html><title>another page</title>" }, {});
  // The gateway is at 127.0.0.1, so a page at localhost is of another site, and one at another port of another origin.
  const sites = [evil.address.replace("127.0.0.1", "localhost"), evil.address];
  const order = JSON.stringify({ payment_type: "pay_in", mode: "P2P", subtype: "sbp", cur: "RUB", amount: "1500.00" });
  const before = countOf(shop.stored(), '"payment_type"');
  try {
    await browse(async (browser) => {
      for (const site of sites) {
        const { page } = await open(browser, `${site}/page.html`);
        const answers = await page.evaluate(async ([base, order]) => {
          const send = (options) => fetch(`${base}api/payments`, { method: "POST", body: order, ...options }).then(({ type, status }) => `${type} ${status}`, () => "refused");
          return [
            // A request that a browser sends without a check. The page sees no answer.
            await send({ mode: "no-cors" }),
            await send({ mode: "no-cors", headers: { "content-type": "text/plain" }, credentials: "include" }),
            // A request that it checks with the gateway first.
            await send({ headers: { "content-type": "application/json" } }),
            await fetch(`${base}api/config`).then(() => "read", () => "refused"),
          ];
        }, [shop.base, order]);
        assert.deepEqual(answers, ["opaque 0", "opaque 0", "refused", "refused"], site);
        // A form needs no script, and its answer is shown.
        await page.setContent(`<form method="post" enctype="text/plain" action="${shop.base}api/payments"><input name='${order.slice(0, -1)},"description":"' value='"}'></form>`);
        const [response] = await Promise.all([page.waitForResponse(`${shop.base}api/payments`), page.evaluate(() => document.forms[0].submit())]);
        assert.equal(response.status(), 403, site);
      }
    });
  } finally {
    await evil.close();
  }
  assert.equal(countOf(shop.stored(), '"payment_type"'), before);
});

function countOf(bytes, text) {
  return bytes.toString("latin1").split(text).length;
}
