// The exports of every entry of the package, except its Engine.

import type { Maybe } from "./request.js";
import type { Messages } from "./violations.js";
import type { JsonPointer, TimestampInput } from "./values.js";

declare global {
  // The declarations of lib.esnext.disposable.d.ts, for projects that do not load it: an engine can be freed by `using`,
  // and a sandbox closed by `await using`.
  interface SymbolConstructor {
    readonly dispose: unique symbol;
    readonly asyncDispose: unique symbol;
  }
  interface Disposable {
    [Symbol.dispose](): void;
  }
  interface AsyncDisposable {
    [Symbol.asyncDispose](): PromiseLike<void>;
  }
}

/** The version of this package. */
export declare const version: string;

/**
 * The kind of a caller error. `context`, `policy`: a member is invalid. `argument`: an input is missing, or the engine is
 * freed or not loaded yet. `utf8`: the bytes are not UTF-8. `value`: an object that JSON cannot represent, bytes that cannot
 * be read, or a module that is not complete. `memory`: the input or the answer is too large. `panic`: a bug in the library, or
 * a previous call did not end; a new engine works.
 */
export type PayspecErrorCode = "context" | "policy" | "argument" | "utf8" | "value" | "memory" | "panic";

/**
 * A caller error: the call failed, and there is no response to send. The content of a body never throws; it is described
 * in a report. The message contains what was expected, and never a value.
 *
 * Each entry of the package has a class of its own, so `instanceof` is false for the errors of another entry. A program that
 * uses several tests `error.name === "PayspecError"`.
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
  /** The JSON Pointer (RFC 6901) of the invalid member; empty for the whole input. */
  readonly path: JsonPointer;
  /** What was expected: the end of the message. */
  readonly expected: string;
}

/** Options of an engine besides its policy. */
export interface EngineOptions {
  /** Texts of the page by code, for reports that are objects. */
  readonly messages?: Messages | undefined;
}

/** Options of a call besides its body. */
export interface ValidateOptions {
  /** The current time. Expired cards are detected only if it is given. */
  readonly now?: Maybe<TimestampInput>;
  /** Texts for this call. They override those of the engine. */
  readonly messages?: Messages | undefined;
}
