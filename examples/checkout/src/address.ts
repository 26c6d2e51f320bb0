// Where the page, its calls and the status of a payment are, below the address that the page was built for.

/** Ends with a slash. */
export const BASE = import.meta.env.BASE_URL;

export const statusAddress = (uid: string): string => `${BASE}${encodeURIComponent(uid)}`;

/** The payment that an address is of; none is the form's. */
export function uidOf(path: string): string | undefined {
  const rest = path.startsWith(BASE) ? path.slice(BASE.length) : "";
  if (rest === "" || rest === "index.html") return undefined;
  try {
    return decodeURIComponent(rest);
  } catch {
    return rest;
  }
}
