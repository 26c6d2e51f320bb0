// The calls of the page. A call always returns an answer: the value, the problem, or a network error.

import type { CreateRequestInput, Violation } from "payspec/checkout";
import type { Payment } from "payspec";
import { BASE, SESSION, VIEW } from "./address.js";

const API = `${BASE}api`;
/** Longer than any call of the service takes. */
const TIMEOUT_MS = 20_000;

/** The body of an unsuccessful response (RFC 9457). */
export interface Problem {
  readonly status: number;
  readonly code?: string;
  readonly detail?: string;
  readonly violations?: readonly Violation[];
}

export type Answer<Value> =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "problem"; readonly problem: Problem }
  /** No answer, or one that cannot be read. The service may have executed the call. */
  | { readonly kind: "networkError" };

/** An amount in USDT, at the current rate. */
export interface Conversion {
  readonly amount: string;
  readonly currency: string;
  readonly rate: string;
}

/** An order that a payer pays. A session has one payment at most. */
export interface Session {
  readonly id: string;
  /** The name of the merchant, as the operator has registered it. */
  readonly name: string;
  readonly order: string;
  readonly amount: string;
  readonly currency: string;
}

/** The merchant of a payment, as the operator of the service has registered it. */
export interface Merchant {
  readonly name: string;
  /** That of the payment, if its origin is registered. */
  readonly redirect_url: string | null;
}

/** Reads the session of the address. */
export const session = (id: string): Promise<Answer<Session>> => call(`/sessions/${encodeURIComponent(id)}`, {});

/** The sessions of the demonstration: one for each key, so that a repeated attempt is in the same one. */
const sessions = new Map<string, string>();

export async function create(body: CreateRequestInput, key: string): Promise<Answer<Payment>> {
  let id = SESSION ?? sessions.get(key);
  if (id === undefined) {
    const created = await call<Session>("/sessions", { method: "POST" });
    if (created.kind === "value") sessions.set(key, (id = created.value.id));
    // Servers with the paths of the specification alone have no sessions.
    else if (created.kind === "networkError" || created.problem.status !== 404) return created;
  }
  const headers = { "content-type": "application/json", "idempotency-key": key, ...(id === undefined ? {} : { "checkout-session": id }) };
  return call("/payments", { method: "POST", body: JSON.stringify(body), headers });
}

/** Returns the headers that permit the page to show a payment. */
const proof = (): RequestInit => {
  if (SESSION !== undefined) return { headers: { "checkout-session": SESSION } };
  return VIEW === undefined ? {} : { headers: { "checkout-view": VIEW } };
};

export const read = (uid: string): Promise<Answer<Payment>> => call(`/payments/${encodeURIComponent(uid)}`, proof());

export const merchantOf = (uid: string): Promise<Answer<Merchant>> => call(`/payments/${encodeURIComponent(uid)}/merchant`, proof());

/** Reports if the service lets visitors pay without a session. */
export const isDemonstration = async (): Promise<boolean> => (await call("/config", {})).kind === "value";

export const convert = (amount: string, currency: string): Promise<Answer<Conversion>> =>
  call("/convert", { method: "POST", body: JSON.stringify({ amount, currency }), headers: { "content-type": "application/json" } });

async function call<Value>(path: string, init: RequestInit): Promise<Answer<Value>> {
  try {
    const response = await fetch(API + path, { ...init, cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.ok) return { kind: "value", value: (await response.json()) as Value };
    const body: unknown = await response.json().catch(() => null);
    // If a proxy answers instead of the service, only the status is known.
    return { kind: "problem", problem: { ...(typeof body === "object" ? body : null), status: response.status } };
  } catch {
    return { kind: "networkError" };
  }
}
