// Adds the hash of each script and style sheet to the built page, and lists them with their purposes in `inventory.json`
// (PCI DSS 6.4.3 and 11.6.1). `payspec page check` compares a served page with this list.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The purpose of each script, by its name without the hash. */
const PURPOSES = {
  index: "shows the form, validates it before it is sent, and shows the status of the payment",
  ru: "contains the Russian texts of the page",
};

const integrityOf = (bytes) => `sha384-${createHash("sha384").update(bytes).digest("base64")}`;

/** Returns the purpose of a script. A script without one is not built. */
function purposeOf(path) {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/-[\w-]{8}\.js$/, "");
  if (!Object.hasOwn(PURPOSES, name)) throw new Error(`${path} has no purpose: name it in inventory.js`);
  return PURPOSES[name];
}

/**
 * Returns the page with the hashes of its files. A script that another one imports has no tag, so it gets one: a browser then
 * compares it too, before the import.
 */
function withHashes(html, base, files) {
  for (const { path, integrity } of files) {
    const address = `="${base}${path}"`;
    const hash = ` integrity="${integrity}"`;
    if (html.includes(address)) html = html.replace(address, address + hash);
    else html = html.replace("<script ", `<link rel="modulepreload" fetchpriority="low" crossorigin href${address}${hash}>\n    <script `);
  }
  return html;
}

/** The plugin of Vite. */
export function inventory() {
  let base;
  return {
    name: "inventory",
    apply: "build",
    configResolved: (config) => void ({ base } = config),
    writeBundle({ dir }, bundle) {
      const list = (end) => {
        const paths = Object.keys(bundle).filter((path) => path.endsWith(end)).sort();
        return paths.map((path) => ({ path, integrity: integrityOf(readFileSync(join(dir, path))) }));
      };
      const scripts = list(".js").map((file) => ({ ...file, purpose: purposeOf(file.path) }));
      const styles = list(".css");
      const page = join(dir, "index.html");
      const html = withHashes(readFileSync(page, "utf8"), base, [...scripts, ...styles]);
      writeFileSync(page, html);
      const whole = { page: { path: "index.html", integrity: integrityOf(html) }, scripts, styles };
      writeFileSync(join(dir, "inventory.json"), `${JSON.stringify(whole, undefined, 2)}\n`);
    },
  };
}
