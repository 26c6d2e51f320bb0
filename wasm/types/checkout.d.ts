// Types of `payspec/checkout`: the small entry for pages. TypeScript 4.7 or newer; `using` needs 5.2.

import type { CheckoutOperations } from "./checkout-operations.js";
import { EngineBase } from "./engine-base.js";

export type { CardInfo, CardInfoBase, KnownCard, UnknownCard } from "./answers.js";
export * from "./checkout-operations.js";
export * from "./common.js";
export * from "./policy.js";
export * from "./request.js";
export * from "./request-schema.js";
export * from "./violations.js";
export * from "./values.js";

/**
 * The rules of creation requests under one policy, for a checkout page. Create it once.
 *
 * It uses memory outside the JavaScript heap. `free()` or the end of a `using` block frees the memory, at the latest the
 * garbage collector.
 *
 * @example
 * const engine = new Engine({ currencies: ["RUB"] });
 * const report = engine.validateRequest(form, { now: new Date() });
 */
export declare class Engine extends EngineBase {}

export interface Engine extends CheckoutOperations {}
