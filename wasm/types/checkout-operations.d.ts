// The operations of every entry, `payspec/checkout` too: what a page needs while a form is filled in.

import type { CardInfo } from "./answers.js";
import type { ValidateOptions } from "./common.js";
import type { Body } from "./request.js";
import type { Report, Rules } from "./violations.js";
import type { Instant, Json } from "./words.js";

/** What a checkout page needs. */
export interface CheckoutOperations {
  /**
   * Judges the body of a creation request (§2.2): everything that is wrong with it, not the first thing.
   *
   * @example
   * const body = { payment_type: "pay_in", mode: "P2P", subtype: "sbp", cur: "JPY", amount: "100.50" };
   * for (const violation of engine.validateRequest(body, { now: new Date() }).violations) {
   *   console.log(violation.path, violation.message); // /amount the currency has 0 fraction digits
   * }
   */
  validateRequest(body: Body, options?: ValidateOptions | Instant): Report;

  /**
   * {@link validateRequest}, JSON in and JSON out: the bytes that every other language gets.
   *
   * @param now RFC 3339, for a card's expiry.
   */
  validateRequestJson(body: Json, now?: string | null): string;

  /**
   * Whether {@link validateRequest} finds nothing of severity `error`: the verdict alone, and the fastest way to it.
   *
   * @example
   * submit.disabled = !engine.isValidRequest(form);
   */
  isValidRequest(body: Body, options?: Pick<ValidateOptions, "now"> | Instant): boolean;

  /**
   * What the digits typed so far say of a card (§2.2 `card_number`). Anything but ASCII digits is neither possible nor
   * valid: take blanks out first.
   *
   * @example
   * const card = engine.cardInfo(input.value.replace(/\s/g, ""));
   * if (card.scheme !== null) logo(card.scheme, card.code.name); // american_express, CID
   */
  cardInfo(digits: string): CardInfo;

  /** {@link cardInfo} as JSON. */
  cardInfoJson(digits: string): string;

  /**
   * The catalogue of violation codes, with the texts and the names of the parameters.
   *
   * @example
   * const codes = engine.rules().rules.map((rule) => rule.code);
   */
  rules(): Rules;

  /** {@link rules} as JSON. */
  rulesJson(): string;
}
