// What a page loads of the npm package, as JSON for `cargo xtask bench`: P9 and P10.

import { ENTRIES, measure } from "../../../wasm/tests/support/size.mjs";

const sizes = [];
for (const entry of Object.keys(ENTRIES)) sizes.push({ entry, ...(await measure(entry)) });
console.log(JSON.stringify({ sizes }));
