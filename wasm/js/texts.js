// The texts of the rules, which the module for pages does not contain.

import { RULES } from "./tables.js";

/** The catalogue of rules: code, severity, source, summary, and the names of the parameters. */
const CATALOGUE = RULES.map((line) => {
  const [code, severity, source, summary, params] = line.split("|");
  return { code, severity, source, summary, params: params ? params.split(",") : [] };
});

/** Returns a copy of the catalogue. */
export const catalogue = () => ({ rules: CATALOGUE.map((rule) => ({ ...rule, params: [...rule.params] })) });

/** Returns a violation with its message and source. */
function withTexts({ path, code, severity, params }) {
  const { summary, source } = CATALOGUE.find((rule) => rule.code === code);
  const message = summary.replace(/{(\w+)}/g, (_, name) => [params[name]].flat().join(", "));
  return { path, code, severity, message, source, ...(params && { params }) };
}

/** Adds the texts of the rules to a report. */
export function addTexts(report) {
  report.violations = report.violations.map(withTexts);
  return report;
}
