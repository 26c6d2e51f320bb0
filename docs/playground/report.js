// What a card of the playground shows: the place in the body, and what was probably meant. It is that of `payspec validate`,
// which docs/tests/playground.test.mjs compares.

const payspecReport = (() => {
  "use strict";

  const rules = new Map(payspecRules.map((rule) => [rule.code, rule]));
  const currencies = new payspec.Engine().openapi().components.schemas.Currency.enum;
  /** The least similarity of a suggestion. */
  const SIMILAR = 0.8;

  /** Returns the similarity of two texts, from 0 to 1: that of Jaro and Winkler. */
  function similarity(one, other) {
    const [a, b] = [[...one.toLowerCase()], [...other.toLowerCase()]];
    const range = Math.max(Math.floor(Math.max(a.length, b.length) / 2) - 1, 0);
    const used = b.map(() => false);
    const matched = a.filter((character, at) => {
      const from = Math.max(at - range, 0);
      const found = b.findIndex((it, index) => index >= from && index <= at + range && !used[index] && it === character);
      if (found >= 0) used[found] = true;
      return found >= 0;
    });
    if (matched.length === 0) return 0;
    const order = b.filter((_, index) => used[index]);
    const transposed = Math.floor(matched.filter((character, index) => character !== order[index]).length / 2);
    const jaro = (matched.length / a.length + matched.length / b.length + (matched.length - transposed) / matched.length) / 3;
    const differs = a.findIndex((character, index) => index >= b.length || character !== b[index]);
    const prefix = Math.min(differs < 0 ? a.length : differs, 4);
    return jaro > 0.7 ? jaro + 0.1 * prefix * (1 - jaro) : jaro;
  }

  /** Returns the most similar known text, if one is similar. Of several, it is the last one. */
  function similar(text, known) {
    const best = known.reduce((found, name) => {
      const value = similarity(name, text);
      return value >= found.value ? { name, value } : found;
    }, { value: SIMILAR });
    return best.name;
  }

  /** Returns line and column of an offset in bytes, and the offset in the text. */
  function position(bytes, offset) {
    const before = new TextDecoder().decode(bytes.slice(0, offset));
    const lines = before.split("\n");
    return { line: lines.length, column: [...lines[lines.length - 1]].length + 1, start: before.length };
  }

  /** Returns the place of a violation: line, column, the range in the text, and a label; undefined for the whole body. */
  function place(engine, body, violation) {
    const at = violation.params ?? {};
    if (at.line !== undefined) {
      const line = body.split("\n").slice(0, at.line - 1).reduce((sum, text) => sum + text.length + 1, 0);
      const start = line + [...(body.split("\n")[at.line - 1] ?? "")].slice(0, at.column - 1).join("").length;
      return { line: at.line, column: at.column, start, end: start + 1, label: body.trim() === "" ? "the body is empty" : "" };
    }
    const marks = rules.get(violation.code)?.marks;
    if (marks === "body") return undefined;
    const locate = (path) => JSON.parse(engine.locateJson(body, path));
    const bytes = new TextEncoder().encode(body);
    const found = locate(violation.path);
    if (found.found !== false) {
      const range = marks === "name" && found.name ? found.name : found;
      return { ...position(bytes, range.start), end: position(bytes, range.end).start, label: "" };
    }
    // A member that is missing has no place; the nearest object that exists has.
    let path = violation.path;
    while (path !== "") {
      const member = path.slice(path.lastIndexOf("/") + 1).replaceAll("~1", "/").replaceAll("~0", "~");
      path = path.slice(0, path.lastIndexOf("/"));
      const object = locate(path);
      if (object.found !== false) {
        const start = position(bytes, object.start);
        return { ...start, end: start.start + 1, label: `\`${member}\` is not in this object` };
      }
    }
    return undefined;
  }

  /** Returns the line of the body with carets below the marked part, in at most `width` columns. */
  function excerpt(body, { line, column, start, end, label }, width) {
    const source = [...body.split("\n")[line - 1] ?? ""].map((character) => (character === "\t" ? " " : character));
    const marked = Math.max([...body.slice(start, end).split("\n")[0]].length, 1);
    const shown = Math.min(marked, Math.max(width - 12, 8));
    // The marked part is in the middle, unless the line fits or ends before.
    let from = Math.max(column - 1 - Math.floor((width - shown) / 2), 0);
    from = Math.max(Math.min(from, source.length - width), 0);
    let text = source.slice(from, from + width);
    if (from > 0) text[0] = "…";
    if (from + width < source.length) text[text.length - 1] = "…";
    text = text.join("");
    const indent = " ".repeat(column - 1 - from);
    const carets = "^".repeat(Math.min(shown, Math.max(text.length - indent.length, 1)));
    // A label that does not fit is below.
    const wide = indent.length + carets.length + 1 + label.length > width;
    const labeled = label === "" ? "" : wide ? `\n${label}` : ` ${label}`;
    return `${text}\n${indent}${carets}${labeled}`;
  }

  /** Returns the help for a violation, as `payspec validate` prints it. */
  function help(body, violation, place) {
    const { replaced_by, allowed = [] } = violation.params ?? {};
    if (replaced_by) return `use \`${replaced_by}\``;
    if (!place || place.label !== "") return undefined;
    let text;
    try {
      text = JSON.parse(body.slice(place.start, place.end));
    } catch {
      return undefined;
    }
    if (typeof text !== "string" || text.length < 2) return undefined;
    const known = { unknown_member: payspecMembers, currency_unknown: currencies }[violation.code] ?? allowed;
    const best = similar(violation.code === "uri_scheme" ? text.split(":")[0] : text, known);
    return best && `did you mean \`${best}\`?`;
  }

  /** Returns whether a body is an answer of the service instead of a request. */
  function isAnswer(engine, body) {
    const has = (path) => JSON.parse(engine.locateJson(body, path)).found !== false;
    return !has("/payment_type") && (has("/violations") || has("/body/violations"));
  }

  return { rules, place, excerpt, help, isAnswer };
})();
