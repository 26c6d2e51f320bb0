// The members of every Engine besides its operations. It is only a type: no entry exports it.

import type { EngineOptions } from "./common.js";
import type { Policy } from "./policy.js";

export declare class EngineBase {
  /**
   * Creates an engine. The policy is read only here.
   *
   * Throws a PayspecError with code `policy` if the policy contains an invalid setting.
   */
  constructor(policy?: Policy, options?: EngineOptions);

  /** Frees the memory. A second call has no effect; any other later call throws a PayspecError with code `argument`. */
  free(): void;

  /** Frees the memory, for `using engine = new Engine()` (TypeScript 5.2). */
  [Symbol.dispose](): void;
}
