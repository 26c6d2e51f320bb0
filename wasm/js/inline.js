// The module inside the file: the first engine starts it without waiting.

import { compileModule } from "#module";
import { setLoader } from "./wasm_engine.js";

let compiled;

setLoader(() => (compiled ??= compileModule()));
