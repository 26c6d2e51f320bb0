// Reports as objects, from the numbers of the module: see wasm/src/report_numbers.rs.

import { isText } from "./kinds.js";
import { BYTE_ORDER_MARK, MODES, VARIANTS } from "./tables.js";
import { decode } from "./utf8.js";

/** The first summary. A smaller number is a verdict or an error. */
const SUMMARY = 256;
/** The bits of a summary, and the places of those with a variant and a mode. */
const VALID = 1;
const HOST2HOST = 2;
const TRUNCATED = 4;
const LISTED = 8;
const VARIANT = 4;
const MODE = 6;
const TWO_BITS = 3;
/** The bytes of the number of violations, and of each violation, in an answer. */
const COUNT = 4;
const NUMBER = 2;
/** The number of a violation that is not kept. */
const NOT_KEPT = 0xffff;

let rules;

/**
 * Returns the rules by their codes, each with the parts of its message: a text, the name of a parameter, a text, and so on.
 * `catalogue` returns the table of rules, which all engines share.
 */
export const rulesOf = (catalogue) =>
  (rules ??= new Map(catalogue().rules.map(({ code, source, summary }) => [code, { source, parts: summary.split(/[{}]/) }])));

/** Returns whether a number is the summary of a report without violations, which has no answer. */
export const isPlain = (code) => code >= SUMMARY && (code & LISTED) === 0;

/** Returns a report with these violations, in the order of its members in JSON. */
export function reportOf(summary, violations) {
  const report = {
    valid: (summary & VALID) !== 0,
    variant: VARIANTS[(summary >> VARIANT) & TWO_BITS],
    mode: MODES[(summary >> MODE) & TWO_BITS],
    host2host: (summary & HOST2HOST) !== 0,
    violations,
  };
  if (summary & TRUNCATED) report.truncated = true;
  return report;
}

/** The violations that the module has written as text, by their numbers. */
export class KnownViolations {
  #known = [];

  /** How many there are. The module continues with the next number. */
  get count() {
    return this.#known.length;
  }

  /** Returns the violations of an answer about a body, with the texts of the rules. */
  read(answer, body, rules) {
    const view = new DataView(answer.buffer, answer.byteOffset, answer.length);
    const end = COUNT + NUMBER * view.getUint32(0, true);
    const others = end < answer.length ? JSON.parse(decode(answer.subarray(end))) : [];
    const next = others.values();
    const violations = [];
    for (let at = COUNT; at < end; at += NUMBER) {
      const number = view.getUint16(at, true);
      const violation = this.#known[number] ?? withTexts(next.next().value, body, rules);
      if (number !== NOT_KEPT) this.#known[number] = violation;
      violations.push(copyOf(violation));
    }
    return violations;
  }
}

/** Returns a copy for the caller, who may change it. */
function copyOf(violation) {
  const copy = { ...violation };
  if (copy.params === undefined) return copy;
  copy.params = { ...copy.params };
  if (copy.params.allowed) copy.params.allowed = [...copy.params.allowed];
  return copy;
}

/** Returns whether a body begins with a byte order mark. */
function hasByteOrderMark(body) {
  if (typeof body === "string") return body.startsWith("\ufeff");
  const [first, second, third] = isText(body) ? body : [];
  return (first === 0xef && second === 0xbb && third === 0xbf) || (first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe);
}

/** Returns a violation of a body with its message and source. */
function withTexts({ path, code, severity, params }, body, rules) {
  const { source, parts: usual } = rules.get(code);
  const parts = code === "json_syntax" && hasByteOrderMark(body) ? BYTE_ORDER_MARK.split(/[{}]/) : usual;
  if (params === undefined) return { path, code, severity, message: parts[0], source };
  let message = parts[0];
  for (let index = 1; index < parts.length; index += 2) message += shown(params[parts[index]]) + parts[index + 1];
  return { path, code, severity, message, source, params };
}

/** Returns a parameter as a part of a message. */
const shown = (value) => (Array.isArray(value) ? value.join(", ") : value);
