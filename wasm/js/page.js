// The engine of `payspec/checkout`: the rules are in WebAssembly, paths and texts are added here.

import { compileModule } from "./module.js";
import { mask } from "./card/mask.js";
import { GAPS, LENGTHS } from "./card_tables.js";
import { panic, PayspecError, tooLarge } from "./error.js";
import { copyBytes, json, object, options, requireText, timeOf, timestamp } from "./inputs.js";
import { checkMessages, localize } from "./localize.js";
import { below } from "./pointer.js";
import { CATALOGUE, encoder, OBJECTS, POINTERS, POLICY, readPolicy, TYPES } from "./policy.js";
import { KINDS, LEGACY, MODES, SCHEMES, SUBTYPES, URI_PARTS, VARIANTS } from "./tables.js";

export { PayspecError };
export { VERSION as version } from "./version.js";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const ruleOf = (name) => CATALOGUE.find(({ code }) => code === name);
const LONE_SURROGATE = /[\ud800-\udfff]/u;
const VALUES = [VARIANTS, MODES, , , SUBTYPES];
/** The size of the stack, as in `cargo xtask npm`. */
const STACK = 4096;
/** The code of an unknown member, as in `wasm/src/page.rs`. */
const UNKNOWN = 64;

let compiled;
/** The instance that new engines use. It has no state between calls. */
let current;

function startInstance() {
  /** Takes the violations of a call. */
  let add;
  const instance = {
    call(name, input, block = "", month, onViolation) {
      if (instance.isBusy) throw panic();
      const isText = typeof input === "string";
      const source = isText ? input : copyBytes(input);
      add = onViolation;
      const at = POLICY + block.length;
      let end = at;
      try {
        // A unit of a string has at most three bytes. A call needs another byte for each byte of a body, and 64 more.
        end += source.length * (isText ? 6 : 2) + 64;
        const missing = end - memory.buffer.byteLength;
        if (missing > 0) {
          try {
            memory.grow(Math.ceil(missing / 65536));
          } catch {
            throw tooLarge();
          }
        }
        const bytes = new Uint8Array(memory.buffer);
        bytes.set(block, POLICY);
        let length;
        if (isText) {
          length = encoder.encodeInto(source, bytes.subarray(at)).written;
          const lone = source.search(LONE_SURROGATE);
          // It becomes an invalid byte, whose position is reported.
          if (lone >= 0) bytes[at + encoder.encode(source.slice(0, lone)).length] = 255;
        } else {
          bytes.set(source, at);
          length = source.length;
        }
        // Stays true after a call that did not end. No further call is made then.
        instance.isBusy = true;
        const result = exports[name](at, at + length, month);
        instance.isBusy = false;
        return result;
      } catch (error) {
        if (error instanceof WebAssembly.RuntimeError) throw panic();
        throw error;
      } finally {
        // It refers to the body.
        add = null;
        // After a failure too: the body may have been written already. The stack comes first, and may contain digits too.
        new Uint8Array(memory.buffer).fill(0, 0, STACK).fill(0, POLICY, end);
      }
    },
  };
  const { exports } = new WebAssembly.Instance((compiled ??= compileModule()), { p: { v: (...record) => add(...record) } });
  const { memory } = exports;
  instance.memory = memory;
  return instance;
}

/** Returns a plain-text input as a string. */
function plain(input, name) {
  const isText = typeof input === "string";
  const source = isText ? input : copyBytes(input);
  try {
    if (!isText) return decoder.decode(source);
    if (!LONE_SURROGATE.test(source)) return source;
  } catch {}
  throw new PayspecError("utf8", `/${name}`, "expected UTF-8");
}

/** Returns the number of the month in the last time zone, UTC-12, or 0 without a timestamp. */
function monthOf(now) {
  if (now === undefined) return 0;
  const [, day, time, zone] = /^(\d{4}-\d\d-\d\d)(T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/.exec(plain(now, "now")) ?? [];
  const date = new Date(day + time + zone);
  const year = date.getUTCFullYear();
  // A day that the month does not have would become one of the next month.
  if (!(year >= 0 && year <= 9999) || new Date(day).getUTCDate() != day.slice(8)) {
    throw new PayspecError("context", "/now", "expected an RFC 3339 timestamp with T, in the UTC years 0000 to 9999");
  }
  const last = new Date(date - 432e5);
  return Math.max(0, last.getUTCFullYear()) * 12 + last.getUTCMonth() + 1;
}

export class Engine {
  #instance;
  #policy;
  #messages;

  // A build would shorten the name.
  static name = "Engine";

  constructor(policy, more) {
    this.#messages = checkMessages(options(more, ["messages"]).messages);
    if (!current || current.isBusy) current = startInstance();
    const instance = (this.#instance = current);
    const text = policy === undefined ? "{}" : object(policy);
    // JSON.stringify escapes only half characters in this way, which the library rejects.
    const [valid] = /^(?:[^\\]|\\(?!ud).)*/u.exec(text);
    if (valid.length < text.length) throw new PayspecError("policy", "", `invalid JSON at line 1, column ${[...valid].length + 1}`);
    this.#policy = readPolicy(JSON.parse(text), (code) => instance.call("c", code));
  }

  free() {
    this.#policy = undefined;
  }

  validateRequest(body, more) {
    const { now, messages } = options(more, ["now", "messages"], "now");
    return localize(this.#report(json(body, "body"), timestamp(now)), messages, this.#messages);
  }

  validateRequestJson(body, more) {
    return JSON.stringify(this.#report(requireText(body, "body"), timeOf(more)));
  }

  isValidRequest(body, more) {
    return this.#report(json(body, "body"), timeOf(more)).valid;
  }

  cardInfo(digits) {
    const input = requireText(digits, "digits");
    // Typed text may end in half a character, which is not a digit.
    const text = typeof input === "string" ? input.replace(/[\ud800-\udfff]/gu, "\ufffd") : plain(input, "digits");
    const bits = this.#call("i", text);
    const count = [...text].length;
    const [scheme, name, codeLength, short = -1] = SCHEMES[bits & 15]?.split("|") ?? [null];
    return {
      scheme,
      lengths: LENGTHS.filter((_, index) => (bits >> (index + 4)) & 1),
      gaps: count <= short ? [4, 10] : [...GAPS],
      code: scheme && { name, length: +codeLength },
      possible: !!(bits & 4096),
      valid: !!(bits & 8192),
      masked: mask(text, /^\d*$/.test(text), count),
    };
  }

  cardInfoJson(digits) {
    return JSON.stringify(this.cardInfo(digits));
  }

  rules() {
    this.#call("i", "");
    return { rules: CATALOGUE.map((rule) => ({ ...rule, params: [...rule.params] })) };
  }

  rulesJson() {
    return JSON.stringify(this.rules());
  }

  #call(name, input) {
    this.#checked();
    return this.#instance.call(name, input);
  }

  /** Returns the policy, unless the engine is freed. */
  #checked() {
    if (!this.#policy) throw new PayspecError("argument", "/engine", "the engine is freed");
    return this.#policy;
  }

  /** Validates a body. */
  #report(body, now) {
    const { block, settings, bounds } = this.#checked();
    const instance = this.#instance;
    const report = { valid: true, variant: null, mode: null, host2host: false, violations: [] };
    // The unknown members by their object and name, in the order of the body: path, and whether the name is repeated.
    const unknown = new Map();
    /** Adds a violation, and returns whether it ends the rules of the member. */
    const push = (rule, path, params) => {
      const { code, source, summary } = rule;
      const severity = settings.severity[code] ?? rule.severity;
      if (severity === "off") return;
      const isError = severity === "error";
      report.valid &&= !isError;
      const message = summary.replace(/{(\w+)}/g, (_, name) => [params[name]].flat().join(", "));
      if (report.violations.length < settings.limits.violations) report.violations.push({ path, code, severity, message, source, ...(params && { params }) });
      else report.truncated = true;
      return isError;
    };
    const bits = instance.call("v", body, block, monthOf(now), (rule, slot, x, y) => {
      if (rule === UNKNOWN) {
        const name = decoder.decode(new Uint8Array(instance.memory.buffer, x, y - x));
        const key = slot + name;
        return unknown.set(key, [below(OBJECTS[slot], name), unknown.has(key)]);
      }
      const { code, params } = CATALOGUE[rule];
      // A body that was not read has one violation.
      if (slot > 254) unknown.clear();
      if (code === "json_syntax") {
        const lines = decoder.decode((typeof body === "string" ? encoder.encode(body) : new Uint8Array(body)).slice(0, x - POLICY - block.length)).split("\n");
        x = lines.length;
        y = [...lines.at(-1)].length + 1;
      }
      const values = {
        type: [TYPES[slot] ?? "object", KINDS[x]],
        unsupported_value: [VALUES[slot]],
        legacy_member: [null],
        amount_out_of_bounds: bounds[x - 1] ?? [18, 18],
        currency_not_allowed: [settings.currencies],
        uri_syntax: [URI_PARTS[x]],
        uri_scheme: [settings.urls.schemes],
        integer_range: Object.values(settings.limits.time_to_complete_payment),
      };
      const named = {};
      (values[code] ?? [x, y].slice(0, params.length)).forEach((value, index) => (named[params[index]] = value));
      return push(CATALOGUE[rule], POINTERS[slot] ?? "", params[0] && named);
    });
    report.variant = VARIANTS[(bits & 3) - 1] ?? null;
    report.mode = MODES[((bits >> 2) & 3) - 1] ?? null;
    report.host2host = bits > 15;
    for (const [key, [path, isRepeated]] of unknown) {
      if (isRepeated && push(ruleOf("duplicate_member"), path)) continue;
      if (key in LEGACY) push(ruleOf("legacy_member"), path, { replaced_by: LEGACY[key] });
      else push(ruleOf("unknown_member"), path);
    }
    return report;
  }
}

if (Symbol.dispose) Engine.prototype[Symbol.dispose] = Engine.prototype.free;
