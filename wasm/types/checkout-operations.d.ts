// The operations of every entry, including `payspec/checkout`: those for forms.

import type { CardInfo } from "./answers.js";
import type { ValidateOptions } from "./common.js";
import type { Body } from "./request.js";
import type { Report, Rules } from "./violations.js";
import type { Json, TimestampInput } from "./values.js";

/** The operations for checkout pages. */
export interface CheckoutOperations {
  /**
   * Validates the body of a creation request (§2.2) and returns a report with all violations.
   *
   * @example
   * const body = { payment_type: "pay_in", mode: "P2P", subtype: "sbp", cur: "JPY", amount: "100.50" };
   * for (const violation of engine.validateRequest(body, { now: new Date() }).violations) {
   *   console.log(violation.path, violation.message); // /amount the currency has 0 fraction digits
   * }
   */
  validateRequest(body: Body, options?: ValidateOptions | TimestampInput): Report;

  /**
   * {@link validateRequest}, JSON in and JSON out: the same bytes as in every other language.
   *
   * @param now The current time (RFC 3339), used to detect expired cards.
   */
  validateRequestJson(body: Json, now?: string | null): string;

  /**
   * Returns whether {@link validateRequest} finds no violation of severity `error`. It is faster than a report.
   *
   * @example
   * submit.disabled = !engine.isValidRequest(form);
   */
  isValidRequest(body: Body, options?: Pick<ValidateOptions, "now"> | TimestampInput): boolean;

  /**
   * Returns the scheme and the format of a card from the digits typed so far (§2.2 `card_number`). Characters other than
   * ASCII digits are neither possible nor valid: remove spaces first.
   *
   * @example
   * const card = engine.cardInfo(input.value.replace(/\s/g, ""));
   * if (card.scheme !== null) logo(card.scheme, card.code.name); // american_express, CID
   */
  cardInfo(digits: string): CardInfo;

  /** {@link cardInfo} as JSON. */
  cardInfoJson(digits: string): string;

  /**
   * Returns the catalog of violation codes, with their texts and the names of their parameters.
   *
   * @example
   * const codes = engine.rules().rules.map((rule) => rule.code);
   */
  rules(): Rules;

  /** {@link rules} as JSON. */
  rulesJson(): string;
}
