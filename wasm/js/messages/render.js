// Texts of violations in a language, with their parameters. A text never contains a value of the body: parameters are what
// was expected.

/** Returns whether a path is that of the month or the year of a card, which a payer types in one field. */
export const isExpiry = (path) => /\/expiry_(month|year)$/.test(path);

/**
 * Returns the exports of a language. `texts` has a template for each code, or a function that returns one for the parameters and
 * the violation.
 * `{name}` is a parameter, `{name:one|few|many}` the form of a noun after it, in the order of `categories`; `names` translates
 * values of parameters.
 */
export function messagesIn(language, categories, texts, names = {}) {
  const plural = new Intl.PluralRules(language);
  const text = (value) => (Array.isArray(value) ? value.join(", ") : (names[value] ?? value));

  function message(violation) {
    const { code, params = {} } = violation;
    // A code of a later version.
    if (!Object.hasOwn(texts, code)) return violation.message;
    const template = typeof texts[code] === "function" ? texts[code](params, violation) : texts[code];
    return template.replace(/{(\w+)(?::([^}]*))?}/g, (_, name, forms) =>
      forms ? forms.split("|")[categories.indexOf(plural.select(params[name]))] : text(params[name]),
    );
  }

  return { message, messages: Object.fromEntries(Object.keys(texts).map((code) => [code, message])) };
}
