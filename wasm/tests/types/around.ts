// The code around the examples in the comments of the types: the program of the caller.

import { Engine, PayspecError } from "payspec";
import type { Authorization, Body, CreateContext, IdempotencyRecord, Messages, Payment, Policy, Report, Violation } from "payspec";
import { SCHEME_ICONS, cardInfo, formatCardNumber, formatExpiry, parseExpiry } from "payspec/card";
import { message, messages } from "payspec/messages/en";
import { createSandbox } from "payspec/sandbox";
import init, { initSync } from "payspec/slim";

declare const engine: Engine;
declare const authorization: Authorization;
declare const context: CreateContext;
declare const body: string;
declare const sent: Body;
declare const form: { amount: string };
declare const legacy: Record<string, unknown>;
declare const payment: Payment;
declare const stored: Payment | undefined;
declare const record: IdempotencyRecord;
declare const violation: Violation;
declare const uid: string;
declare const key: string;
declare const secret: string;
declare const url: string;
declare const deployed: Policy;
declare const proposed: Policy;
declare const fingerprint: string;
declare const report: Report;
declare const input: {
  value: string;
  selectionStart: number | null;
  setSelectionRange(start: number, end: number): void;
  addEventListener(type: "input", listener: (event: { inputType: string }) => void): void;
};
declare const submit: { disabled: boolean };
declare const request: { headers: { authorization?: string; "idempotency-key"?: string } };
declare const response: { text(): Promise<string> };
declare class Shop {
  constructor(api: string, token: string);
  pay(amount: string): Promise<void>;
}
declare function hint(text: string): void;
declare function logo(address: string, name: string): void;
declare function store(payment: object): void;
declare function send(...parts: unknown[]): void;
declare function readFileSync(file: URL): Uint8Array;
declare function writeFile(file: string, text: string): Promise<void>;
