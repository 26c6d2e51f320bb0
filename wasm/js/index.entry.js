// `payspec`: all operations, ready at import.

import "./inline.js";

export { Engine, PayspecError, version } from "./engine.js";
