// The exports of `payspec/messages/en` and `payspec/messages/ru`, except their language.

import type { Violation, ViolationCode, ViolationOf } from "./violations.js";

export type { Violation, ViolationBase, ViolationCode, ViolationOf, ViolationParams } from "./violations.js";

/** A text for every code. */
export type AllMessages = {
  readonly [Code in ViolationCode]: (violation: ViolationOf<Code>) => string;
};

/**
 * Returns the message of a violation in the language of the entry, with its parameters. It never contains a value from the
 * body. A code of a later version has the message of the service.
 *
 * @example
 * for (const violation of report.violations) hint(message(violation));
 */
export declare function message(violation: Violation): string;

/**
 * The messages by code, for the options of an engine.
 *
 * @example
 * const engine = new Engine({}, { messages });
 * const partly = new Engine({}, { messages: { ...messages, missing: () => "Please fill in this field" } });
 */
export declare const messages: AllMessages;
