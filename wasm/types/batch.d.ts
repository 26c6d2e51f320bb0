// Many bodies in one call.

import type { CreateContext } from "./contexts.js";
import type { Operations } from "./operations.js";
import type { CreateOutcome } from "./outcomes.js";
import type { Body } from "./request.js";
import type { Json } from "./values.js";

/** The operations whose first input is a body. */
export type BatchOperation =
  | "validateRequest"
  | "createPayment"
  | "checkPayment"
  | "fieldCurrencies"
  | "fingerprintRequest"
  | "downgradeRequest"
  | "upgradeBalance"
  | "downgradeBalance"
  | "upgradePayment"
  | "downgradePayment"
  | "redact"
  | "signWebhook"
  | "verifyWebhook"
  | "locate";

/** The methods that a batch repeats, with the types of their inputs and answers. */
export interface BatchMethods extends Pick<Operations, Exclude<BatchOperation, "createPayment">> {
  /** With a payment as the library creates it. */
  createPayment(body: Body, context: CreateContext): CreateOutcome;
}

/**
 * The parameters of a method after the body.
 *
 * @typeParam Method - the type of the method
 */
export type BatchContext<Method extends (...inputs: never) => unknown> =
  Parameters<Method> extends [body: unknown, ...context: infer Context] ? Context : never;

/** An operation with many bodies, in one call. */
export interface Batches {
  /**
   * Runs an operation with each body, and returns the answers in the order of the bodies. All bodies share the second input
   * of the method, which is read once. An invalid one throws a PayspecError before the first body.
   *
   * @example
   * const reports = engine.batch("validateRequest", [body, "{}"], { now: new Date() });
   * console.log(reports.filter((report) => !report.valid).length);
   */
  batch<Name extends BatchOperation>(
    operation: Name,
    bodies: readonly Parameters<BatchMethods[Name]>[0][],
    ...context: BatchContext<BatchMethods[Name]>
  ): ReturnType<BatchMethods[Name]>[];

  /** {@link batch}, JSON in and JSON out: the second input is that of the method's JSON form. */
  batchJson<Name extends BatchOperation>(
    operation: Name,
    bodies: readonly Json[],
    ...context: BatchContext<Operations[`${Name}Json`]>
  ): string[];
}
