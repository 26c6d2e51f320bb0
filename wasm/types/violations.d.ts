// Reports and their violations, which are discriminated by their code and have exact parameters.

import type { DecisionId, Mode, PaymentType, Severity, ViolationParams } from "./tables.js";
import type { JsonPointer, JsonType, Source } from "./values.js";

export type { FixedCode, ViolationParams } from "./tables.js";

/** The position of a syntax error. Both numbers start at 1; the column is in characters. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The largest accepted number of bytes, levels, or characters. */
export interface Limit {
  readonly limit: number;
}

/** The JSON type that the interface requires, and that of the body. */
export interface Types {
  readonly expected: string;
  readonly found: JsonType;
}

/** The values that are accepted. */
export interface Allowed {
  readonly allowed: readonly string[];
}

/** The values that are not accepted, if all others are. */
export interface Refused {
  readonly refused: readonly string[];
}

/** The current member that replaced a legacy member; null if the member was removed without successor. */
export interface ReplacedBy {
  readonly replaced_by: string | null;
}

/** The fraction digits that the currency has (ISO 4217). */
export interface MinorUnit {
  readonly minor_unit: number;
}

/** The largest accepted number of digits before and after the decimal point. */
export interface DigitLimits {
  readonly integer_digits: number;
  readonly fraction_digits: number;
}

/** The bounds of the policy for the currency, inclusive; null if not set. */
export interface AmountLimits {
  readonly min: string | null;
  readonly max: string | null;
}

/** The smallest and the largest accepted whole number. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The month or the year in which ISO 4217 has withdrawn the currency: `2026-01`. */
export interface Withdrawn {
  readonly withdrawn: string;
}

/** The part of a URI that is missing or not valid. `character`: one outside RFC 3986, or out of place. */
export interface UriReason {
  readonly reason: "scheme" | "character" | "host" | "port";
}

/** The code of a violation. */
export type ViolationCode = keyof ViolationParams;

/** The members of every violation. */
export interface ViolationBase<Code extends ViolationCode> {
  /** The JSON Pointer of the member; for `missing`, that of the absent member. */
  readonly path: JsonPointer;
  readonly code: Code;
  /** The severity under the policy of the engine. */
  readonly severity: Exclude<Severity, "off">;
  /** The message in English, or the text of the page. It never contains a value from the body. */
  readonly message: string;
  /** The section of the specification, or the decision, that the rule comes from. */
  readonly source: Source;
}

/** The violation of one code, or the union over several. */
export type ViolationOf<Code extends ViolationCode> = Code extends ViolationCode
  ? ViolationBase<Code> & (ViolationParams[Code] extends object ? { readonly params: ViolationParams[Code] } : { readonly params?: never })
  : never;

/**
 * A broken rule at one path. `code` determines the type of `params`.
 *
 * @example
 * if (violation.code === "amount_scale") {
 *   hint(`At most ${violation.params.minor_unit} digits after the point`);
 * }
 */
export type Violation = ViolationOf<ViolationCode>;

/**
 * Texts of a page by code. Each replaces `message` of the violations in reports that are objects (`validateRequest`,
 * `checkPayment`); the JSON forms and the bodies of outcomes keep the messages of the library.
 *
 * @example
 * const messages: Messages = {
 *   missing: () => "Bitte ausfüllen",
 *   amount_scale: ({ params }) => `Höchstens ${params.minor_unit} Nachkommastellen`,
 * };
 */
export type Messages = {
  readonly [Code in keyof ViolationParams]?: ((violation: ViolationOf<Code>) => string) | undefined;
};

/** The members of every report. */
export interface ReportBase {
  /** The variant of the body; null if `payment_type` could not be read. */
  readonly variant: PaymentType | null;
  /** The mode of the body; null if it could not be read. For a payment: `CRYPTO`, or null. */
  readonly mode: Mode | null;
  /** True if the body requests host-to-host mode; for a payment, if it has `info`. */
  readonly host2host: boolean;
  /** The violations, in the order of the fields in §2.2 (§2.1 for a payment), at most `limits.violations` of the policy. */
  readonly violations: readonly Violation[];
  /** Present only if there are more violations than listed. */
  readonly truncated?: true;
}

/** A report without errors; its violations are warnings. */
export interface ValidReport extends ReportBase {
  readonly valid: true;
}

/** A report with at least one error. */
export interface InvalidReport extends ReportBase {
  readonly valid: false;
}

/** All violations of a body with a summary. `valid` is true if no violation has severity `error`. */
export type Report = ValidReport | InvalidReport;

/** The entry of one code in the catalog, or the union over several. */
export type RuleOf<Code extends ViolationCode> = Code extends ViolationCode
  ? {
      readonly code: Code;
      /** The severity if the policy sets no other. */
      readonly severity: Exclude<Severity, "off">;
      readonly source: Source;
      /** The message in English; `{name}` is a placeholder for a parameter. */
      readonly summary: string;
      /** The names of the parameters that its violations may have. */
      readonly params: readonly (ViolationParams[Code] extends object ? ParamName<ViolationParams[Code]> : never)[];
    }
  : never;

/** The names of the members of each form of the parameters. */
export type ParamName<Params> = Params extends object ? keyof Params : never;

/** An entry of the catalog of violation codes. */
export type Rule = RuleOf<ViolationCode>;

/** The answer of `rules`. */
export interface Rules {
  readonly rules: readonly Rule[];
}

/** An entry of the decision register. */
export interface Decision {
  readonly id: DecisionId;
  /** The section of the specification that leaves it open. */
  readonly source: Source;
  /** The open question. */
  readonly open: string;
  /** The behavior of the library. */
  readonly decision: string;
  /** The policy members, or other inputs, that change the behavior. */
  readonly changed_by: readonly string[];
}

/** The answer of `decisions`. */
export interface Decisions {
  readonly decisions: readonly Decision[];
}
