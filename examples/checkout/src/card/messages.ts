// Messages about card fields, by violation code. Other codes have the library's messages.

import type { CardScheme, Messages } from "payspec/checkout";

const LABELS: Readonly<Record<string, string>> = {
  "/pay_in_details/card/card_number": "Enter the number of your card",
  "/pay_in_details/card/expiry_month": "Enter month and year",
  "/pay_in_details/card/expiry_year": "Enter month and year",
  "/pay_in_details/card/security_code": "Enter the security code",
  "/pay_in_details/card/card_holder": "Enter the name on the card",
};

export const MESSAGES: Messages = {
  missing: ({ path, message }) => LABELS[path] ?? message,
  card_number_syntax: () => "This number is not complete",
  card_number_checksum: () => "There is a mistake in this number",
  card_expired: () => "This card has expired",
  expiry_month_range: () => "The month is 01 to 12",
  expiry_year_range: () => "Check the year",
  security_code_syntax: ({ params: { min, max } }) => (min === max ? `The code has ${max} digits` : `The code has ${min} or ${max} digits`),
  text_too_long: () => "This name is too long",
  text_control_character: () => "This name contains a character that cannot be sent",
  card_number_in_text: () => "This is a number: enter the name here",
};

export const SCHEMES: Readonly<Record<CardScheme, string>> = {
  visa: "Visa",
  mastercard: "Mastercard",
  american_express: "American Express",
  mir: "Mir",
  unionpay: "UnionPay",
  jcb: "JCB",
  discover: "Discover",
  diners_club: "Diners Club",
  maestro: "Maestro",
  elo: "Elo",
  hipercard: "Hipercard",
  verve: "Verve",
  troy: "Troy",
  uzcard: "UzCard",
  humo: "HUMO",
};
