// The script of a page: it writes the result to the element that the test reads.

import { use } from "./use.js";

use().then(
  (told) => (globalThis.told = told),
  (error) => (globalThis.told = String(error.stack)),
);
