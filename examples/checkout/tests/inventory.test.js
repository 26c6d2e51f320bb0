// Tests `payspec page check` with the page that a gateway serves, and the inventory that the build of the page has written.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gateway, needed } from "./support.js";

const shop = gateway();
const built = join(needed("PAYSPEC_PAGE"), "inventory.json");
const folder = mkdtempSync(join(tmpdir(), "payspec-inventory-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command. Returns its exit status, the lines that it prints, and its errors. */
function check(address, inventory) {
  return new Promise((resolve) => {
    execFile(needed("PAYSPEC_CLI"), ["page", "check", address, "--inventory", inventory], (error, out, errors) => {
      resolve({ status: error ? error.code : 0, lines: out.trimEnd().split("\n"), errors });
    });
  });
}

test("the page of a gateway is as the inventory of its build lists it", async () => {
  const { scripts, styles } = JSON.parse(readFileSync(built, "utf8"));
  assert.ok(scripts.length > 0 && styles.length > 0);
  // The page of a payment is the same file.
  for (const at of [shop.base, `${shop.base}0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11`]) {
    assert.deepEqual(await check(at, built), {
      status: 0,
      lines: [`${at}: headers and page as in the inventory; scripts: ${scripts.length}, style sheets: ${styles.length}`],
      errors: "",
    });
  }
});

test("each file of the inventory is compared with the one that the gateway serves", async () => {
  const inventory = JSON.parse(readFileSync(built, "utf8"));
  const files = [...inventory.scripts, ...inventory.styles];
  const before = [inventory.page, ...files].map(({ integrity }) => integrity);
  for (const file of [inventory.page, ...files]) file.integrity = `sha384-${"A".repeat(64)}`;
  const changed = join(folder, "changed.json");
  writeFileSync(changed, JSON.stringify(inventory));
  const subjects = ["the page", ...files.map(({ path }) => path)];
  const lines = subjects.map((subject, index) => `${subject}: ${before[index]}; expected sha384-${"A".repeat(64)}`);
  assert.deepEqual(await check(shop.base, changed), { status: 1, lines, errors: "" });
});
