// The members of every Engine besides its operations. It is only a type: no entry exports it.

import type { EngineOptions } from "./common.js";
import type { Policy } from "./policy.js";
import type { RequestSchema } from "./request-schema.js";

export declare class EngineBase {
  /**
   * Creates an engine. The policy is read only here.
   *
   * Throws a PayspecError with code `policy` if the policy contains an invalid setting.
   */
  constructor(policy?: Policy, options?: EngineOptions);

  /**
   * The schema of a request as a Standard Schema: for react-hook-form, TanStack Form, Hono, tRPC, and others. It has an issue
   * for each violation of severity `error`, with the messages of the engine. It has no clock: an expired card is accepted.
   *
   * @example
   * const { issues } = engine.requestSchema["~standard"].validate({ payment_type: "pay_in", mode: "P2P" });
   * for (const { path, message } of issues ?? []) console.log(path.join("."), message); // cur the member is required
   */
  readonly requestSchema: RequestSchema;

  /** Frees the memory. A second call has no effect; any other later call throws a PayspecError with code `argument`. */
  free(): void;

  /** Frees the memory, for `using engine = new Engine()` (TypeScript 5.2). */
  [Symbol.dispose](): void;
}
