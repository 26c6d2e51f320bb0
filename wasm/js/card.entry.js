// `payspec/card`: card numbers and expiry dates for input masks, without WebAssembly.

export { cardInfo, cardInfoJson } from "./card/info.js";
export { formatCardNumber, formatExpiry } from "./card/format.js";
export { parseExpiry } from "./card/expiry.js";
export { SCHEME_ICONS } from "./card/icons.js";
export { PayspecError } from "./error.js";
export { VERSION as version } from "./version.js";
