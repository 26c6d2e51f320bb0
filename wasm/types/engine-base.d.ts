// What the Engine of every entry has besides its operations. A type alone: no entry exports it.

import type { EngineOptions } from "./common.js";
import type { Policy } from "./policy.js";

export declare class EngineBase {
  /**
   * Builds an engine. The policy is read once, here.
   *
   * Throws a PayspecError with code `policy` where the policy holds something that no policy can.
   */
  constructor(policy?: Policy, options?: EngineOptions);

  /** Gives the engine's memory back. Twice is fine; any other call afterwards throws a PayspecError with code `argument`. */
  free(): void;

  /** The same, for `using engine = new Engine()` (TypeScript 5.2). */
  [Symbol.dispose](): void;
}
