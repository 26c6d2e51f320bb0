// Bodies as inputs: loose enough for a form that is not filled in yet, with the members of the interface for completion.

import type { Mode, PaymentType, State, Subtype } from "./values.js";

/** A value that may be missing in a form. */
export type Maybe<T> = T | null | undefined;

/** A listed word, which an editor completes, or any other text: a value that is not listed is reported. */
export type Word<Listed extends string> = Listed | (string & Record<never, never>);

/** An object with these members and any others: a literal, an interface of the caller, a record. */
export type Loose<Members> = Members | (Members & { readonly [member: string]: unknown });

/** The payer's card (§2.2 `pay_in_details.card`), for host-to-host mode. */
export interface CardInput {
  readonly card_holder?: Maybe<string>;
  /** 12 to 19 digits, no spaces. */
  readonly card_number?: Maybe<string>;
  /** 2000 to 2099; two digits are read as 20YY (D23). */
  readonly expiry_year?: Maybe<number>;
  /** 1 to 12. */
  readonly expiry_month?: Maybe<number>;
  /** 3 digits, 4 for American Express. */
  readonly security_code?: Maybe<string>;
}

/** The details of a pay-in in host-to-host mode (§2.2 `pay_in_details`). */
export interface PayInDetailsInput {
  readonly card?: Maybe<Loose<CardInput>>;
  readonly bank_name?: Maybe<string>;
}

/** The recipient of a pay-out (§2.2 `pay_out_details`). */
export interface PayOutDetailsInput {
  readonly bank_name?: Maybe<string>;
  readonly full_name?: Maybe<string>;
  /** 12 to 19 digits, no spaces; for `bank_card`. */
  readonly card_number?: Maybe<string>;
  /** 7 to 15 digits, with or without `+` (E.164); for `sbp`. */
  readonly phone_number?: Maybe<string>;
}

/** The members of a creation request (§2.2), as far as they are filled in. null and undefined count as absent. */
export interface CreateRequestInput {
  /** Selects the variant of the body. Required. */
  readonly payment_type?: Maybe<Word<PaymentType>>;
  /** Required in a pay-out. */
  readonly mode?: Maybe<Word<Mode>>;
  /** The currency of `amount`: an ISO 4217 code, fiat in mode CRYPTO too. Required. */
  readonly cur?: Maybe<string>;
  /** A decimal amount in units of the currency, always a text: `"100.00"`. Required. */
  readonly amount?: Maybe<string>;
  /** Required, except in a pay-in of mode CRYPTO (D17). */
  readonly subtype?: Maybe<Word<Subtype>>;
  readonly merchant_id?: Maybe<string>;
  readonly user_id?: Maybe<string>;
  /** Pay-in only. */
  readonly user_name?: Maybe<string>;
  /** The address to which the service reports the payment: an absolute URI. */
  readonly callback?: Maybe<string>;
  /** The address to which the payer's browser is redirected afterwards: an absolute URI. */
  readonly redirect_url?: Maybe<string>;
  readonly bank_name?: Maybe<string>;
  /** true enables host-to-host mode (§1.3). */
  readonly host2host?: Maybe<boolean>;
  readonly description?: Maybe<string>;
  /** A whole number; the caller defines its unit (D15). */
  readonly time_to_complete_payment?: Maybe<number>;
  /** Pay-out only. */
  readonly pay_out_details?: Maybe<Loose<PayOutDetailsInput>>;
  /** Pay-in only. */
  readonly pay_in_details?: Maybe<Loose<PayInDetailsInput>>;
}

/** The members of a payment (§2.1), as far as they are present. */
export interface PaymentInput {
  readonly uid?: Maybe<string>;
  readonly url?: Maybe<string>;
  readonly merchant_id?: Maybe<string>;
  readonly state?: Maybe<Word<State>>;
  readonly payment_type?: Maybe<Word<PaymentType>>;
  readonly subtype?: Maybe<Word<Subtype>>;
  readonly requested_amount?: Maybe<string>;
  readonly requested_currency?: Maybe<string>;
  readonly client_amount?: Maybe<string>;
  readonly amount?: Maybe<string>;
  readonly currency?: Maybe<string>;
  readonly total?: Maybe<string>;
  readonly net_processed?: Maybe<string>;
  readonly fee?: Maybe<string>;
  readonly commission?: Maybe<string>;
  readonly gross_amount?: Maybe<string>;
  readonly shared_commission?: Maybe<string>;
  readonly paid_amount?: Maybe<string>;
  readonly fail_by?: Maybe<string>;
  readonly fail_code?: Maybe<string>;
  readonly receipts?: Maybe<readonly string[]>;
  readonly created_date?: Maybe<string>;
  readonly paid_at?: Maybe<string>;
  readonly redirect_url?: Maybe<string>;
  readonly form?: Maybe<string>;
  readonly info?: Maybe<object>;
}

/** A Uint8Array, including a Buffer of Node. The type has only the tag, so that editors do not suggest the other members. */
export interface Bytes {
  readonly [Symbol.toStringTag]: "Uint8Array";
}

/**
 * The body of a creation request: the JSON text that the client sent, or a plain object. A text is validated unchanged;
 * an object cannot contain a member twice. Without a body, as in
 * Express after another Content-Type, pass the empty text, which is answered with 400: `request.body ?? ""`.
 */
export type Body = string | Bytes | Loose<CreateRequestInput>;

/** A payment: its JSON text, or a plain object. */
export type PaymentBody = string | Bytes | Loose<PaymentInput>;

/** Any body of either interface: its JSON text, or a plain object. */
export type AnyBody = string | object;
