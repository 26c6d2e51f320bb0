// The script of a page: it writes the result to the element that the test reads.

import { use } from "./use.js";

use().then(
  (result) => (globalThis.result = result),
  (error) => (globalThis.result = String(error.stack)),
);
