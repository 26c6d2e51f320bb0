// The addresses of the page, its calls and the status of a payment, below the base address of the build.

/** Ends with a slash. */
export const BASE = import.meta.env.BASE_URL;

/** The id of the checkout session that the shop has created. Without one, the page shows its demonstration. */
export const SESSION = new URLSearchParams(location.search).get("session") ?? undefined;

/** The proof in the `url` of a payment, which shows its page to the payer alone. */
export const VIEW = new URLSearchParams(location.search).get("view") ?? undefined;

export const statusAddress = (uid: string): string => `${BASE}${encodeURIComponent(uid)}${SESSION === undefined ? "" : `?session=${encodeURIComponent(SESSION)}`}`;

/** Returns the payment of an address, or `undefined` for the form. */
export function uidOf(path: string): string | undefined {
  const rest = path.startsWith(BASE) ? path.slice(BASE.length) : "";
  if (rest === "" || rest === "index.html") return undefined;
  try {
    return decodeURIComponent(rest);
  } catch {
    return rest;
  }
}
