// Prints the sizes of the npm package in a page (P9 and P10) as JSON for `cargo xtask bench`.

import { ENTRIES, measure } from "../../../wasm/tests/support/size.mjs";

const sizes = [];
for (const entry of Object.keys(ENTRIES)) sizes.push({ entry, ...(await measure(entry)) });
console.log(JSON.stringify({ sizes }));
