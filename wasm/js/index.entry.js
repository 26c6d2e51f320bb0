// `payspec`: all operations, ready at import. The first engine starts the module inside the file without waiting.

import { setLoader } from "./instance.js";
import { compileModule } from "./module.js";

export { Engine, PayspecError, version } from "./engine.js";

let compiled;

setLoader(() => (compiled ??= compileModule()));
