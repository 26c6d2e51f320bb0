// `payspec/checkout`: validation and cards, ready at import, small.

export { Engine, PayspecError, version } from "./page.js";
