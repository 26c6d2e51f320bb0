// Prints the sizes of the npm package in a page (P9 and P10) as JSON for `cargo xtask bench`.

import { budget, measure } from "../../../wasm/tests/support/size.mjs";

const sizes = [];
for (const [entry, encodings] of Object.entries(budget)) {
  for (const encoding of Object.keys(encodings)) sizes.push({ entry, encoding, ...(await measure(entry, encoding)) });
}
console.log(JSON.stringify({ sizes }));
