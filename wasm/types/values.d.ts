// The types of plain texts, and the listed values of the specification.

import type { DecisionId } from "./tables.js";

export type {
  CardScheme,
  DecisionId,
  InfoKind,
  Mode,
  PaymentType,
  Rounding,
  Severity,
  State,
  StateOutcome,
  Subtype,
} from "./tables.js";

/** A JSON type, as in the parameters of the code `type`. */
export type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";

/** The source of a rule: a section of the specification, or a decision. */
export type Source = `§${string}` | DecisionId;

/** The JSON Pointer (RFC 6901) of a value in a body: `/pay_in_details/card/card_number`; empty for the whole body. */
export type JsonPointer = "" | `/${string}`;

/** A JSON text in UTF-8. */
export type Json = string | Uint8Array;

/** A Date of any realm. The type has one member, so that editors do not suggest the others where options are expected. */
export interface Moment {
  /** The conversion of a Date. */
  readonly [Symbol.toPrimitive]: Date[typeof Symbol.toPrimitive];
}

/** A timestamp: RFC 3339 with upper-case `T` and `Z` (`2026-11-20T10:15:30.250Z`), truncated to nanoseconds; or a `Date`. */
export type TimestampInput = string | Moment;

/** A JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object with any members. */
export interface JsonObject {
  readonly [member: string]: JsonValue;
}
