// The texts of the rules, which the module for pages does not contain.

import { BYTE_ORDER_MARK, RULES } from "./tables.js";

/** The catalogue of rules: code, severity, source, summary, and the names of the parameters. */
const CATALOGUE = RULES.map((line) => {
  const [code, severity, source, summary, params] = line.split("|");
  return { code, severity, source, summary, params: params ? params.split(",") : [] };
});

/** Returns a copy of the catalogue. */
export const catalogue = () => ({ rules: CATALOGUE.map((rule) => ({ ...rule, params: [...rule.params] })) });

/** Checks if a body begins with a byte order mark. */
function hasByteOrderMark(body) {
  if (typeof body === "string") return body.startsWith("\ufeff");
  const [first, second, third] = body instanceof Uint8Array ? body : [];
  return (first === 0xef && second === 0xbb && third === 0xbf) || (first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe);
}

/** Returns a violation of a body with its message and source. */
function withTexts({ path, code, severity, params }, body) {
  const { summary, source } = CATALOGUE.find((rule) => rule.code === code);
  const text = code === "json_syntax" && hasByteOrderMark(body) ? BYTE_ORDER_MARK : summary;
  const message = text.replace(/{(\w+)}/g, (_, name) => [params[name]].flat().join(", "));
  return { path, code, severity, message, source, ...(params && { params }) };
}

/** Adds the texts of the rules to the report on a body. */
export function addTexts(report, body) {
  report.violations = report.violations.map((violation) => withTexts(violation, body));
  return report;
}
