// axe, which checks the accessibility of a page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Returns the report of axe on the element that `selector` matches, by the rules of WCAG and those of `options`. */
export async function examine(page, { selector = "html", rules = [], ...options } = {}) {
  await page.evaluate(AXE);
  return page.evaluate(([root, options]) => window.axe.run(root, options), [selector, { runOnly: [...WCAG, ...rules], ...options }]);
}

/** Fails if axe finds a violation in a page, or if it cannot examine it. */
export async function scan(page, about) {
  const { violations, passes, incomplete } = await examine(page, { rules: ["best-practice"] });
  const summaries = violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`));
  assert.deepEqual(summaries, [], about);
  assert.ok(passes.some(({ id }) => id === "color-contrast"), `${about}: contrast was measured`);
  // Parts of a table that a phone has to scroll to are not measured.
  assert.deepEqual(incomplete.filter(({ id }) => id !== "color-contrast").map(({ id }) => id), [], about);
}
