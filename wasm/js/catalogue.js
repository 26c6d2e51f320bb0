// The catalogue of rules, which the module for pages does not contain.

import { RULES } from "./tables.js";

/** Returns the catalogue of rules: code, severity, source, summary, and the names of the parameters. */
export function catalogue() {
  const rules = RULES.map((line) => {
    const [code, severity, source, summary, params] = line.split("|");
    return { code, severity, source, summary, params: params ? params.split(",") : [] };
  });
  return { rules };
}
