// Types of `payspec/payspec.wasm` where an import of a `.wasm` file is a compiled module, such as in Workers.

import type { WasmModule } from "./slim.js";

declare const module: WasmModule;
export default module;
