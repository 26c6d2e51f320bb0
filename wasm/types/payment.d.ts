// Payments in answers (§2.1): the members that are always present, may be null, or may be absent.

import type { InfoKind, JsonValue, PaymentType, State, Subtype } from "./values.js";

/**
 * A payment (§2.1). A member that may be null is always present; the others are absent if they have no value (D1). All
 * amounts are decimal texts: do not convert them to floating-point numbers.
 */
export interface Payment {
  /** A UUID in lower case. */
  readonly uid: string;
  /** The address at which the payer completes or views the payment; null in host-to-host mode. */
  readonly url: string | null;
  readonly merchant_id?: string;
  readonly state: State;
  readonly payment_type: PaymentType;
  /** Absent only in mode CRYPTO. A new payment has that of the request; a stored one may have any, since §2.1 lists examples. */
  readonly subtype?: Subtype | (string & {});
  /** The amount of the request, unchanged, in `requested_currency`. */
  readonly requested_amount: string;
  /** The currency of the request (ISO 4217); fiat in mode CRYPTO too. */
  readonly requested_currency: string;
  /** The amount that the client entered, in `requested_currency`. */
  readonly client_amount: string | null;
  /** The amount that is processed, in `currency`. */
  readonly amount: string;
  /** The currency of the eight processed amounts: `USDT` in mode CRYPTO, otherwise that of the request. */
  readonly currency: string;
  /** `gross_amount` with fee and commission, in `currency`. */
  readonly total: string;
  /** `gross_amount` less fee and commission, in `currency`. */
  readonly net_processed: string;
  /** The fee of the service, in `currency`. */
  readonly fee: string;
  /** The commission of the processor, in `currency`. */
  readonly commission: string;
  /** The amount before deductions, in `currency`. */
  readonly gross_amount: string;
  /** The part of the commission that partners share, in `currency`. */
  readonly shared_commission: string;
  /** The amount paid to the recipient, in `currency`. */
  readonly paid_amount: string;
  /** The party responsible for the failure (D3). */
  readonly fail_by: string | null;
  /** The reason of the failure (D13). */
  readonly fail_code?: string;
  /** URIs of receipts. */
  readonly receipts: readonly string[];
  /** RFC 3339, in UTC with milliseconds. */
  readonly created_date: string;
  /** RFC 3339; null until it is completed. */
  readonly paid_at: string | null;
  readonly redirect_url?: string;
  /** The form type, such as `acquiring.card`. */
  readonly form?: string;
  /** Additional information in host-to-host mode, otherwise null. */
  readonly info: PaymentInfo | null;
}

/** Additional information about a payment. A stored payment may have other members (D2). */
export interface PaymentInfo {
  readonly [member: string]: JsonValue;
}

/** `info` of a new payment in host-to-host mode; `info` of the context follows these members. */
export type NewPaymentInfo = PaymentInfo & {
  readonly type: InfoKind;
  /** The masked card number, `411111******1111`; absent if the request has no card number. */
  readonly card_number?: string;
};

/** A new payment (§3): idle, without paid amount and failure. */
export interface NewPayment extends Payment {
  readonly state: "idle";
  readonly client_amount: string;
  readonly fail_by: null;
  readonly fail_code?: never;
  readonly receipts: readonly [];
  readonly paid_at: null;
  readonly info: NewPaymentInfo | null;
}

/** The members that `advancePayment` requires. */
export type RequiredMember = "uid" | "state" | "amount" | "currency" | "created_date";

/** The members that are always present, and null if they have no value (§2.1). */
export type NullableMember = "url" | "client_amount" | "fail_by" | "paid_at" | "info";

/** A stored payment for `advancePayment`: members that are not used in the computation may be absent. */
export type StoredPayment = Pick<Payment, RequiredMember> & {
  readonly [Member in Exclude<keyof Payment, RequiredMember>]?: Payment[Member] | null | undefined;
};

/** The result of `advancePayment` if some members of {@link Payment} are missing in the stored payment. */
export type PartialPayment = Pick<Payment, RequiredMember | NullableMember> & Partial<Payment>;

/** The result of `advancePayment`: additional members of the caller are unchanged. */
export type Advanced<Stored> = (Stored extends Payment ? Payment : PartialPayment) & CallerMembers<Stored>;

/** The additional members of the caller. */
export type CallerMembers<Stored> = [Exclude<keyof Stored, keyof Payment>] extends [never]
  ? unknown
  : Omit<Stored, keyof Payment>;
