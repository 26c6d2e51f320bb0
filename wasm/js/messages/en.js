// English messages for pages: the texts of the core with all parameters, and texts for payers, who do not know the interface.

import { RULES } from "../tables.js";
import { isExpiry } from "./render.js";

/** The texts of the core. A noun after a number has both of its forms. */
const TABLE = Object.fromEntries(
  RULES.map((line) => {
    const [code, , , text] = line.split("|");
    return [code, text.replace(/({(\w+)}(?: [a-z]+)?) ([a-z]+)s\b/, "$1 {$2:$3|$3s}")];
  }),
);

/** The codes whose parameters the texts of the core do not contain. */
const WITH_PARAMETERS = {
  legacy_member: ({ replaced_by }) => TABLE.legacy_member + (replaced_by ? ", now {replaced_by}" : ", without successor"),
  amount_out_of_bounds({ min, max, integer_digits }) {
    const bounds = min && max ? "{min} to {max}" : min ? "at least {min}" : "at most {max}";
    const digits = "at most {integer_digits} {integer_digits:digit|digits} before the point and {fraction_digits} after it";
    return `${TABLE.amount_out_of_bounds}: ${integer_digits === undefined ? bounds : digits}`;
  },
  uri_scheme: ({ refused }) => (refused ? TABLE.uri_scheme.replace("be one", "not be one").replace("allowed", "refused") : TABLE.uri_scheme),
  security_code_syntax({ min, max }) {
    const [start] = TABLE.security_code_syntax.split(":");
    return min === max ? `${start}: {max} {max:digit|digits}` : `${start}: {min} to {max} digits`;
  },
};

/** The codes of mistakes that payers make. The texts of the core are for developers. */
const FOR_PAYERS = {
  // A page leaves out a date that is typed in part.
  missing: (_, { path }) => (isExpiry(path) ? "enter the month and the year" : "required"),
  unsupported_value: "choose one of {allowed}",
  amount_syntax: "enter an amount such as 100.00",
  card_number_syntax: "enter all 12 to 19 digits of the card number",
  card_number_checksum: "check the card number: a digit is wrong",
  phone_number_syntax: "enter a phone number of 7 to 15 digits, with or without +",
};

export const TEXTS = { ...TABLE, ...WITH_PARAMETERS, ...FOR_PAYERS };

export const CATEGORIES = ["one", "other"];
