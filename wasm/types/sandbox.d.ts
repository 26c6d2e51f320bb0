// Types of `payspec/sandbox`: a payment service for tests, in Node.js.

import type {} from "./common.js"; // the symbol of `await using`
import type { CreateRequestInput } from "./request.js";
import type { State } from "./values.js";

/** The sandbox did not start, or did not accept a call of a test. The message names the member. */
export declare class SandboxError extends Error {
  /** Creates an error with a message. */
  constructor(message?: string);
  override readonly name: "SandboxError";
}

/** The options of {@link createSandbox}. */
export interface SandboxOptions {
  /** The path of the program `payspec`. Without it: `PAYSPEC_CLI`, the package `payspec-cli`, or the `PATH`. */
  readonly cli?: string;
}

/**
 * Starts `payspec sandbox` with a free port. It is its merchant `default`, whose clock is stopped. The program ends with the
 * script, if not closed before.
 *
 * @throws {@link SandboxError} if the program is missing or does not start. In a page or a Worker, always.
 *
 * @example
 * await using sandbox = await createSandbox();
 * const shop = new Shop(sandbox.api, sandbox.token); // any code with an address and a token
 * await shop.pay("1500.00");
 * await sandbox.advance(2); // seconds
 */
export declare function createSandbox(options?: SandboxOptions): Promise<Sandbox>;

/** A running sandbox. */
export interface Sandbox extends Merchant, AsyncDisposable {
  /** The address of the console, a page that shows all payments. */
  readonly console: string;
  /**
   * Returns the merchant of a name, such as that of a test: without payments, its clock stopped. A hash replaces characters
   * that a name cannot have.
   */
  merchant(name: string): Promise<Merchant>;
  /** Ends the program. */
  close(): Promise<void>;
  /** Ends the program: `await using sandbox = await createSandbox()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A merchant of the sandbox, with payments, a clock, and faults of its own. */
export interface Merchant {
  /** The address before `/v1/…`. */
  readonly api: string;
  readonly name: string;
  /** The token of the header `Authorization`. */
  readonly token: string;
  /** The secret of the merchant's callbacks. */
  readonly webhookSecret: string;
  /** Forgets payments, faults, deliveries, and the clock. */
  reset(): Promise<void>;
  /** Returns the time of the clock. */
  now(): Promise<string>;
  /** Stops the clock and advances it. Resolves with its time after everything that was due, callbacks included. */
  advance(seconds: number): Promise<string>;
  /** Returns the scenarios by name. */
  scenarios(): Promise<Record<string, Scenario>>;
  /** Selects the scenario of the next payments, with any members. */
  nextPayment(scenario: string, count?: number): Promise<void>;
  /** Makes the next calls fail. */
  failNext(fault: Fault): Promise<void>;
  /** Answers as the payer at the page of the bank, for a payment with the scenario `challenge` and the state `routed`. Returns the new state. */
  answerChallenge(uid: string, result: "passed" | "failed"): Promise<State>;
  /** Returns the attempts to deliver the events of a payment. */
  deliveries(uid: string): Promise<Delivery[]>;
  /** Delivers an event once more. */
  repeat(event: string): Promise<Delivery>;
  /** Returns the payments, the newest first. */
  payments(): Promise<SandboxPayment[]>;
}

/** A scenario of payments. */
export interface Scenario {
  readonly name: string;
  /** The members of a request that select it. */
  readonly trigger: Partial<CreateRequestInput>;
  readonly states: readonly State[];
  readonly duration_ms: number;
}

/** A fault of the next calls: an answer with a status, a delay, or a closed connection. */
export interface Fault {
  /** The number of calls, otherwise one. */
  readonly count?: number;
  readonly endpoint?: "create" | "status" | "balance";
  /** After: the call is served, and only its answer is delayed, replaced, or lost. */
  readonly when?: "before" | "after";
  readonly status?: number;
  readonly delay_ms?: number;
  readonly drop?: boolean;
}

/** An attempt to deliver an event. */
export interface Delivery {
  /** The header `webhook-id`. */
  readonly event: string;
  /** The `uid` of the payment. */
  readonly payment: string;
  readonly state: State;
  readonly attempt: number;
  readonly at: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The status of the answer; after a failure, its name and a detail, with the status if there was an answer. */
  readonly result: { readonly delivered: boolean; readonly status?: number; readonly failure?: string; readonly detail?: string };
  readonly next_attempt_at: string | null;
  /** Whether `repeat` made it. */
  readonly repeated: boolean;
  /** The status of the event. */
  readonly status: "pending" | "delivered" | "abandoned";
}

/** A payment in a list. */
export interface SandboxPayment {
  readonly uid: string;
  readonly state: State;
  readonly scenario: string;
  readonly created: string;
  /** The number of attempts to deliver its events. */
  readonly deliveries: number;
}
