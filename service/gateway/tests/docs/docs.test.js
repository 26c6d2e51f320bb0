// Tests `/docs` in Chromium: its policy, axe, the keyboard, and the console. `cargo xtask test page` builds the gateway.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gateway } from "../../../../examples/checkout/tests/support.js";
import { examine } from "../../../../wasm/tests/support/axe.mjs";
import { browse, open, skip } from "../../../../wasm/tests/support/browser.mjs";

const DEVICES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 900 } };
const service = gateway({ page: false });

/** Opens the page for `work`, and fails on errors, blocked sources, and requests to other hosts. */
function show(work, { expected, ...options } = {}) {
  return browse(async (browser) => {
    const { page, complaints } = await open(browser, "about:blank", { reducedMotion: "reduce", ...options });
    const requests = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(`${service.base.replace("checkout/", "docs")}`);
    await page.locator("openapi-explorer main").waitFor();
    await isStill(page);
    await work(page);
    assert.deepEqual(requests.filter((url) => new URL(url).origin !== new URL(service.base).origin && !url.startsWith("data:")), []);
    assert.deepEqual(complaints.filter((line) => !expected?.test(line)), []);
  });
}

/** Returns the parts of the page that the navigation lists, by their fragments. Components of one kind are one part. */
async function parts() {
  let found = [];
  await show(async (page) => {
    const listed = await page.evaluate(() => [...document.querySelector("openapi-explorer").shadowRoot.querySelectorAll("[data-content-id]")].map((element) => element.dataset.contentId));
    found = listed.filter((part) => part !== "section" && !/^cmp--\w+-/.test(part));
  }, { viewport: DEVICES.desktop });
  for (const part of ["overview", "auth", "post-/v1/payments/new", "cmp--schemas", "cmp--parameters", "cmp--responses"]) assert.ok(found.includes(part), `${part} is one of ${found}`);
  return found;
}

/** Waits until the content of the page has not changed for 200 ms. */
async function isStill(page) {
  await page.evaluate(async () => {
    const content = () => {
      const text = (root) => root.innerHTML + [...root.querySelectorAll("*")].map((element) => (element.shadowRoot ? text(element.shadowRoot) : "")).join("");
      return text(document.body);
    };
    for (let before, now = content(); before !== now; ) {
      await new Promise((wait) => setTimeout(wait, 200));
      await new Promise(requestAnimationFrame);
      [before, now] = [now, content()];
    }
  });
}

async function turnTo(page, part) {
  // The promise of `scrollTo` is not awaited: it may never be resolved.
  await page.evaluate((route) => void document.querySelector("openapi-explorer").scrollTo(route), part);
  await isStill(page);
}

/** Presses Tab. Returns the name of the element that has the focus, and what hides it; null if the browser itself has the focus. */
async function tab(page, key = "Tab") {
  await page.keyboard.press(key);
  return page.evaluate(() => {
    let element = document.activeElement;
    while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    if (element === document.body) return null;
    element.wasReached = true;
    const name = (element.labels?.[0]?.textContent ?? element.getAttribute("aria-label") ?? element.placeholder ?? element.textContent).trim().replace(/\s+/g, " ").slice(0, 60);
    const { x, y, width, height } = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    // An empty answer of the console has the focus, but no height.
    const middle = element.getRootNode().elementFromPoint(x + Math.min(width, innerWidth) / 2, y + Math.min(height, innerHeight) / 2);
    const isHidden = height > 0 && !element.contains(middle);
    const isUnmarked = style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2;
    return { name, problem: isHidden ? "covered" : isUnmarked ? "no outline" : null };
  });
}

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page, name) {
  const reached = [];
  while (reached.length < 150) {
    const focus = await tab(page);
    if (focus?.name.toLowerCase() === name.toLowerCase()) return;
    reached.push(focus?.name);
  }
  assert.fail(`Tab does not reach ${name}: ${reached}`);
}

/** Enters a token in the form. */
async function authenticate(page, text) {
  await page.getByRole("link", { name: "Authentication" }).click();
  await page.getByLabel("Access token").fill(text);
  await page.keyboard.press("Enter");
  await page.getByText("The console uses this token.").waitFor();
}

test("axe finds nothing in any part, on phones and desktops, in light and dark, and none is wider than the screen", { skip }, async () => {
  const found = [];
  const all = await parts();
  for (const [device, viewport] of Object.entries(DEVICES)) {
    for (const colorScheme of ["light", "dark"]) {
      await show(async (page) => {
        for (const part of all) {
          const name = `${part}, ${device}, ${colorScheme}`;
          await turnTo(page, part);
          const report = await examine(page, { preload: false });
          found.push(...report.violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${name}: ${id}: ${html.slice(0, 160)} ${JSON.stringify(any[0]?.data ?? "")}`)));
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          if (width > viewport.width) found.push(`${name}: ${width} pixels wide`);
          if (process.env.PAYSPEC_PICTURES) await page.screenshot({ path: `${process.env.PAYSPEC_PICTURES}/docs-${part.replace(/\W+/g, "-")}-${device}-${colorScheme}.png` });
        }
      }, { viewport, colorScheme });
    }
  }
  assert.deepEqual(found, []);
});

test("Tab reaches every control of every part, and the focus is visible", { skip }, async () => {
  const problems = [];
  const all = await parts();
  for (const [device, viewport] of Object.entries(DEVICES)) {
    await show(async (page) => {
      for (const part of all) {
        await turnTo(page, part);
        // The focus starts within the page, so the round begins at its end.
        for (let round = 0, count = 0; round < 2; count += 1) {
          assert.ok(count < 300, `${part}, ${device}: the focus leaves the page`);
          const focus = await tab(page);
          if (!focus) round += 1;
          else if (focus.problem) problems.push(`${part}, ${device}: ${focus.name}: ${focus.problem}`);
        }
        // What the mouse can press, from the outside in. A tooltip repeats text of another part, and the padlock leads to one.
        const missed = await page.evaluate(() => {
          const found = [];
          const look = (root) => {
            for (const element of root.querySelectorAll("*")) {
              if (element.shadowRoot) look(element.shadowRoot);
              const isControl = element.matches("a[href], button, input, select, textarea, [role=button], [role=link], [style*='cursor:pointer']");
              const isVisible = element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
              if (isControl && isVisible && !element.wasReached && !element.matches("svg, .tooltip")) found.push(element.outerHTML.replace(/<!--.*?-->/g, "").slice(0, 100));
            }
          };
          look(document);
          return found;
        });
        problems.push(...missed.map((element) => `${part}, ${device}: Tab does not reach ${element}`));
      }
    }, { viewport });
  }
  assert.deepEqual(problems, []);
});

test("the console creates a payment with Tab, letters, and Enter alone", { skip }, async () => {
  const token = await service.run("token", "new", "--merchant", "shop-42", "--quiet");
  for (const [device, viewport] of Object.entries(DEVICES)) {
    await show(async (page) => {
      if (device === "desktop") {
        await tabTo(page, "Authentication");
        await page.keyboard.press("Enter");
      }
      await tabTo(page, "Access token");
      await page.keyboard.type(token);
      await page.keyboard.press("Enter");
      await page.getByText("The console uses this token.").waitFor();
      await tabTo(page, device === "desktop" ? "Create a payment" : "post Create a payment");
      await page.keyboard.press("Enter");
      await tabTo(page, "Execute");
      await tab(page, "Shift+Tab");
      await tabTo(page, "Execute");
      const response = page.waitForResponse((response) => response.url().endsWith("/v1/payments/new"));
      await page.keyboard.press("Enter");
      const { payment_type, uid } = await (await response).json();
      assert.equal((await response).status(), 201);
      assert.equal(payment_type, "pay_in");
      await page.getByText(uid).first().waitFor();
    }, { viewport });
  }
});

test("what folds by a click folds by a key", { skip }, () =>
  show(async (page) => {
    await turnTo(page, "post-/v1/payments/new");
    const row = page.locator("openapi-explorer schema-table").first().getByRole("button", { name: "pay_in_details" });
    await tabTo(page, await row.evaluate((element) => element.textContent.trim().replace(/\s+/g, " ")));
    const inner = page.locator("openapi-explorer schema-table").first().getByText("card_number").first();
    assert.equal(await inner.isVisible(), true);
    for (const [key, isVisible] of [["Enter", false], ["Space", true]]) {
      await page.keyboard.press(key);
      await inner.waitFor({ state: isVisible ? "visible" : "hidden" });
    }
    await tabTo(page, "Balance");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Schemas" }).waitFor();
  }, { viewport: DEVICES.desktop }));

test("a link cannot choose the token of the console", { skip }, () =>
  show(async (page) => {
    const state = Buffer.from(JSON.stringify({ apiKeyId: "bearer" })).toString("base64");
    const token = await service.run("token", "new", "--merchant", "attacker", "--quiet");
    const [address] = page.url().split("#");
    for (const separator of ["?", "#", "#?"]) {
      await page.goto("about:blank");
      await page.goto(`${address}${separator}state=${state}&token_type=Bearer&access_token=${token}`);
      await page.getByRole("link", { name: "Read the partner's balance" }).click();
      const response = page.waitForResponse((response) => response.url().endsWith("/v1/partner/balance"));
      await page.getByRole("button", { name: "Execute" }).click();
      assert.equal((await response).status(), 401, separator);
    }
  }, { viewport: DEVICES.desktop, expected: /401/ }));

test("without a token the console shows 401, and the page stores no token", { skip }, () =>
  show(async (page) => {
    await page.getByRole("link", { name: "Read the partner's balance" }).click();
    const response = page.waitForResponse((response) => response.url().endsWith("/v1/partner/balance"));
    await page.getByRole("button", { name: "Execute" }).click();
    assert.equal((await response).status(), 401);
    await authenticate(page, "secret-token-1");
    assert.equal(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])).then((text) => text.includes("secret-token-1")), false);
  }, { viewport: DEVICES.desktop, expected: /401/ }));
