// Reports as objects, from the short answers of the module: a report without texts, which are added from the table of rules.

import { isText } from "./kinds.js";
import { BYTE_ORDER_MARK } from "./tables.js";

/** The rules by their codes, each with the parts of its message: a text, the name of a parameter, a text, and so on. */
let rules;

/** Returns a report without violations, like another one. */
export const plainReport = ({ variant, mode, host2host }) => ({ valid: true, variant, mode, host2host, violations: [] });

/** Returns the report in a short answer, with the texts of its violations. `catalogue` returns the table of rules. */
export function reportOf(answer, body, catalogue) {
  rules ??= new Map(catalogue().rules.map(({ code, source, summary }) => [code, { source, parts: summary.split(/[{}]/) }]));
  const report = JSON.parse(answer);
  report.violations = report.violations.map((violation) => withTexts(violation, body));
  return report;
}

/** Returns whether a body begins with a byte order mark. */
function hasByteOrderMark(body) {
  if (typeof body === "string") return body.startsWith("\ufeff");
  const [first, second, third] = isText(body) ? body : [];
  return (first === 0xef && second === 0xbb && third === 0xbf) || (first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe);
}

/** Returns a violation of a body with its message and source. */
function withTexts({ path, code, severity, params }, body) {
  const { source, parts: usual } = rules.get(code);
  const parts = code === "json_syntax" && hasByteOrderMark(body) ? BYTE_ORDER_MARK.split(/[{}]/) : usual;
  if (params === undefined) return { path, code, severity, message: parts[0], source };
  let message = parts[0];
  for (let index = 1; index < parts.length; index += 2) message += shown(params[parts[index]]) + parts[index + 1];
  return { path, code, severity, message, source, params };
}

/** Returns a parameter as a part of a message. */
const shown = (value) => (Array.isArray(value) ? value.join(", ") : value);
