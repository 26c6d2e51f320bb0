// Types of `payspec/slim`: the same with a `.wasm` file of its own, which is loaded before the first engine is made.

export * from "./all.js";

/** The type of a global class, where the project knows it: neither the DOM's types nor Node's are asked for. */
export type Global<Name extends string> = typeof globalThis extends {
  readonly [Own in Name]: { readonly prototype: infer Instance };
}
  ? Instance
  : never;

/** A compiled module. The DOM's types tell nothing more of it than that it is an object. */
export type WasmModule = typeof globalThis extends {
  readonly WebAssembly: { readonly Module: { readonly prototype: infer Instance } };
}
  ? Instance & object
  : never;

/** The bytes of the `.wasm` file. */
export type WasmBytes = ArrayBuffer | ArrayBufferView;

/** Where the `.wasm` file is: its address, a request for it, the answer to one, its bytes, or the compiled module. */
export type InitSource =
  | string
  | Global<"URL">
  | Global<"Request">
  | Global<"Response">
  | Promise<Global<"Response">>
  | WasmBytes
  | WasmModule;

/**
 * Loads the `.wasm` file. Called again it does nothing. Without a source the file is fetched from beside the module.
 *
 * @example
 * import init, { Engine } from "payspec/slim";
 * await init();
 * const engine = new Engine();
 */
export default function init(source?: InitSource): Promise<void>;

/**
 * The same at once, from bytes or a compiled module.
 *
 * @example
 * initSync(readFileSync(new URL(import.meta.resolve("payspec/payspec.wasm"))));
 */
export declare function initSync(module: WasmBytes | WasmModule): void;
