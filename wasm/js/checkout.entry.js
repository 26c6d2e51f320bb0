// `payspec/checkout`: validation and cards, ready at import, small.

import { setLoader } from "./instance.js";
import { compileModule } from "./module.js";

export { Engine, PayspecError, version } from "./page.js";

let compiled;

setLoader(() => (compiled ??= compileModule()));
