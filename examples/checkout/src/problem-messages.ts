// Messages for the payer about problems, by the problem's code, otherwise by its status.

import type { Problem } from "./api.js";
import { texts } from "./language/language.js";

export function messageFor({ code, status, detail }: Problem): string {
  const { problems, refused, otherMethod, rejected, busy, notSetUp } = texts();
  const known = code === undefined ? undefined : problems[code];
  if (known !== undefined) return known;
  if (status === 401 || status === 403 || status === 404 || status === 405) return notSetUp;
  if (status === 408 || status === 429 || status >= 500) return busy;
  if (code === "refused" && detail !== undefined) return refused(detail);
  return status === 455 ? otherMethod : rejected;
}
