// What every entry of the package exports besides its Engine.

import type { Maybe } from "./request.js";
import type { Messages } from "./violations.js";
import type { Instant, JsonPointer } from "./words.js";

declare global {
  // As in TypeScript's own lib.esnext.disposable.d.ts, for projects that do not load it: an engine can be freed by `using`.
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
  interface Disposable {
    [Symbol.dispose](): void;
  }
}

/** The version of this package. */
export declare const version: string;

/**
 * What the caller did wrong. `context`, `policy`: a member does not hold what it must. `argument`: an input is missing,
 * or the engine is freed or not loaded yet. `utf8`: bytes that are no UTF-8. `value`: an object that JSON cannot hold.
 * `memory`: an input that does not fit. `panic`: a bug of the library, or an earlier
 * call did not end; a new engine works.
 */
export type PayspecErrorCode = "context" | "policy" | "argument" | "utf8" | "value" | "memory" | "panic";

/**
 * A misuse by the caller: nothing is to be sent. What comes off the wire never throws; it is told in a report. The
 * message says what was expected, and never holds a value.
 *
 * @example
 * try {
 *   engine.createPayment(body, { uid: "7", now: new Date(), authorization });
 * } catch (error) {
 *   if (error instanceof PayspecError) console.error(error.code, error.path); // context /uid
 *   else throw error;
 * }
 */
export declare class PayspecError extends Error {
  private constructor();
  readonly name: "PayspecError";
  readonly code: PayspecErrorCode;
  /** The JSON Pointer (RFC 6901) of the member at fault; empty for the input as a whole. */
  readonly path: JsonPointer;
  /** What was expected there. */
  readonly expected: string;
}

/** What an engine is given besides its policy. */
export interface EngineOptions {
  /** The page's own texts by code, for reports that are objects. */
  readonly messages?: Messages | undefined;
}

/** What one call is given besides its body. */
export interface ValidateOptions {
  /** The time against which a card's expiry is measured; without it nobody asks. */
  readonly now?: Maybe<Instant>;
  /** Texts for this call, before those of the engine. */
  readonly messages?: Messages | undefined;
}
