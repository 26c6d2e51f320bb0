// Payments as answers hold them (§2.1): which members are always there, which may be null, which may be absent.

import type { InfoKind, JsonValue, PaymentType, State, Subtype } from "./words.js";

/**
 * A payment (§2.1). What may be null is always there; any other member is absent where there is nothing to say (D1).
 * All amounts are decimal texts: make no floats of them.
 */
export interface Payment {
  /** A UUID in lower case. */
  readonly uid: string;
  /** Where the payer completes or views it; null in host-to-host mode. */
  readonly url: string | null;
  readonly merchant_id?: string;
  readonly state: State;
  readonly payment_type: PaymentType;
  /** Absent only in mode CRYPTO. A new payment has one of the request's; §2.1 lists examples, so a stored one may have any. */
  readonly subtype?: Subtype | (string & {});
  /** What the client asked for, in its own writing, in `requested_currency`. */
  readonly requested_amount: string;
  /** The client's currency (ISO 4217); fiat in mode CRYPTO too. */
  readonly requested_currency: string;
  /** The amount that the client entered, in `requested_currency`. */
  readonly client_amount: string | null;
  /** The amount that is processed, in `currency`. */
  readonly amount: string;
  /** The currency of the eight processed amounts: `USDT` in mode CRYPTO, else the client's. */
  readonly currency: string;
  /** `gross_amount` with fee and commission, in `currency`. */
  readonly total: string;
  /** `gross_amount` less fee and commission, in `currency`. */
  readonly net_processed: string;
  /** The service's fee, in `currency`. */
  readonly fee: string;
  /** The processor's commission, in `currency`. */
  readonly commission: string;
  /** The amount before deductions, in `currency`. */
  readonly gross_amount: string;
  /** The part of the commission that partners share, in `currency`. */
  readonly shared_commission: string;
  /** What was paid to the recipient, in `currency`. */
  readonly paid_amount: string;
  /** Who is responsible for a failure (D3). */
  readonly fail_by: string | null;
  /** Why it failed (D13). */
  readonly fail_code?: string;
  /** Addresses of receipts. */
  readonly receipts: readonly string[];
  /** RFC 3339, in UTC with milliseconds. */
  readonly created_date: string;
  /** RFC 3339; null until it is completed. */
  readonly paid_at: string | null;
  readonly redirect_url?: string;
  /** The form type, such as `acquiring.card`. */
  readonly form?: string;
  /** What host-to-host mode tells besides; else null. */
  readonly info: PaymentInfo | null;
}

/** Additional information of a payment. A stored one may hold other members (D2). */
export interface PaymentInfo {
  readonly [member: string]: JsonValue;
}

/** `info` of a new payment in host-to-host mode; `info` of the context follows these members. */
export type NewPaymentInfo = PaymentInfo & {
  readonly type: InfoKind;
  /** Under the mask, `411111******1111`; absent where the request has no card number. */
  readonly card_number?: string;
};

/** A payment as creation makes it (§3): idle, nothing paid, nothing failed. */
export interface NewPayment extends Payment {
  readonly state: "idle";
  readonly client_amount: string;
  readonly fail_by: null;
  readonly fail_code?: never;
  readonly receipts: readonly [];
  readonly paid_at: null;
  readonly info: NewPaymentInfo | null;
}

/** The members that a payment must have to be moved to another state. */
export type NeededMember = "uid" | "state" | "amount" | "currency" | "created_date";

/** The members that are always there, and null where there is nothing to say (§2.1). */
export type NullableMember = "url" | "client_amount" | "fail_by" | "paid_at" | "info";

/** A stored payment that `advancePayment` can move: it may lack what it is not computed from. */
export type StoredPayment = Pick<Payment, NeededMember> & {
  readonly [Member in Exclude<keyof Payment, NeededMember>]?: Payment[Member] | null | undefined;
};

/** What `advancePayment` makes of a stored payment that lacks some members of {@link Payment}. */
export type PartialPayment = Pick<Payment, NeededMember | NullableMember> & Partial<Payment>;

/** What `advancePayment` makes of a stored payment: the host's own members stay as they were. */
export type Advanced<Stored> = (Stored extends Payment ? Payment : PartialPayment) & HostMembers<Stored>;

/** The members that only the host knows. */
export type HostMembers<Stored> = [Exclude<keyof Stored, keyof Payment>] extends [never]
  ? unknown
  : Omit<Stored, keyof Payment>;
