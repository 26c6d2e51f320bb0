// The names of the schemes, for their icons.

import { SCHEMES } from "../card_tables.js";

/** Names that are not the capitalized words of the scheme. */
const NAMES = { unionpay: "UnionPay", jcb: "JCB", uzcard: "UzCard", humo: "HUMO", rupay: "RuPay", gpn: "GPN" };

export const SCHEME_ICONS = Object.fromEntries(
  SCHEMES.map((line) => {
    const [scheme] = line.split("|");
    const words = scheme.split("_");
    const name = NAMES[scheme] ?? words.map((word) => word[0].toUpperCase() + word.slice(1)).join(" ");
    return [scheme, { name, icon: words.join("-") }];
  }),
);
