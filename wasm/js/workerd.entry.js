// `payspec`, `payspec/checkout`, and `payspec/slim` in Workers, which compile WebAssembly only when they are deployed: the module is an
// import. Every operation is ready at import.

import module from "./payspec.wasm";
import { initSync } from "./separate.js";

export { Engine, PayspecError, version } from "./engine.js";
export { initSync };

initSync(module);

/** Waits for nothing, as the module is there. */
export default async function init() {}
