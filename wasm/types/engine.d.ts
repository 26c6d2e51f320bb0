// The Engine with all operations, of `payspec` and `payspec/slim`.

import type { Batches } from "./batch.js";
import { EngineBase } from "./engine-base.js";
import type { Operations } from "./operations.js";
import type { PolicyInForce } from "./policy.js";

/**
 * The interface under one policy. Create it once: it never changes, and every operation is a method of it.
 *
 * It uses memory outside the JavaScript heap. `free()` or the end of a `using` block frees the memory, at the latest the
 * garbage collector.
 *
 * @example
 * const engine = new Engine({ required: ["/merchant_id"] }, { messages: { missing: () => "Bitte ausfüllen" } });
 */
export declare class Engine extends EngineBase {
  /** Returns the policy, including default values. The fingerprint key is null: set it again to build an equal engine. */
  policy(): PolicyInForce;
}

export interface Engine extends Operations, Batches {}
