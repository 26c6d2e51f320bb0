// English messages: the texts of the core, with all parameters.

import { RULES } from "../tables.js";

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

export const TEXTS = { ...TABLE, ...WITH_PARAMETERS };

export const CATEGORIES = ["one", "other"];
