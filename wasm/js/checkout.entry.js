// `payspec/checkout`: validation and cards, ready at import, small.

import "./inline.js";

export { Engine, PayspecError, version } from "./checkout.js";
