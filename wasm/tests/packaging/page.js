// A page's script: what came out stands where the test looks for it.

import { use } from "./use.js";

use().then(
  (told) => (globalThis.told = told),
  (error) => (globalThis.told = String(error.stack)),
);
