// Shows the document of a running gateway in Swagger UI, with all operations and schemas open.

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gateway } from "../../../../examples/checkout/tests/support.js";
import { browse, open, serve, skip } from "../../../../wasm/tests/support/browser.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const service = gateway({ page: false });
const PAGE = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>Swagger UI</title>
  <link rel="stylesheet" href="/dist/swagger-ui.css">
  <div id="document"></div>
  <script src="/dist/swagger-ui-bundle.js"></script>
  <script src="/start.js"></script>
</html>`;
const START = 'SwaggerUIBundle({ url: "/openapi.json", dom_id: "#document", docExpansion: "full", defaultModelsExpandDepth: 1 });';

test("Swagger UI shows every operation and schema, without an error", { skip }, async () => {
  const text = await (await fetch(`${new URL(service.base).origin}/openapi.json`)).text();
  const document = JSON.parse(text);
  const dist = `${join(here, "node_modules/swagger-ui-dist")}/`;
  const site = await serve({ "/index.html": PAGE, "/start.js": START, "/openapi.json": text, "/favicon.ico": "", "/dist/": dist }, {});
  const operations = [document.paths, document.webhooks].flatMap(Object.values).flatMap(Object.values).map(({ operationId }) => operationId);
  const schemas = Object.values(document.components.schemas);
  try {
    await browse(async (browser) => {
      const { page, complaints } = await open(browser, `${site.address}/index.html`);
      await page.waitForFunction((count) => window.document.querySelectorAll(".opblock.is-open .responses-table").length === count, operations.length);
      const shown = await page.locator(".opblock").evaluateAll((blocks) => blocks.map(({ id }) => id.split("-").pop()));
      assert.deepEqual(shown.sort(), operations.sort());
      assert.equal(await page.locator(".models .json-schema-2020-12[data-json-schema-level='0']").count(), schemas.length);
      // References that it cannot follow, and other faults of the document.
      assert.equal(await page.locator(".errors-wrapper").count(), 0);
      assert.deepEqual(complaints, []);
    });
  } finally {
    await site.close();
  }
});
