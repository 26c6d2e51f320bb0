// Types of `payspec/slim`: the same with a separate `.wasm` file, which is loaded before the first engine is created.

export * from "./all.js";

/** The type of a global class if the project has it: the types of the DOM and of Node are optional. */
export type Global<Name extends string> = typeof globalThis extends {
  readonly [Own in Name]: { readonly prototype: infer Instance };
}
  ? Instance
  : never;

/** A compiled module. In the types of the DOM it is only an object. */
export type WasmModule = typeof globalThis extends {
  readonly WebAssembly: { readonly Module: { readonly prototype: infer Instance } };
}
  ? Instance & object
  : never;

/** The bytes of the `.wasm` file. */
export type WasmBytes = ArrayBuffer | ArrayBufferView;

/** The source of the `.wasm` file: its address, a request, a response, its bytes, or the compiled module. */
export type InitSource =
  | string
  | Global<"URL">
  | Global<"Request">
  | Global<"Response">
  | Promise<Global<"Response">>
  | WasmBytes
  | WasmModule;

/**
 * Loads the `.wasm` file. Further calls have no effect. Without a source, the file next to the module is fetched.
 *
 * @example
 * import init, { Engine } from "payspec/slim";
 * await init();
 * const engine = new Engine();
 */
export default function init(source?: InitSource): Promise<void>;

/**
 * Loads the module synchronously, from bytes or a compiled module.
 *
 * @example
 * initSync(readFileSync(new URL(import.meta.resolve("payspec/payspec.wasm"))));
 */
export declare function initSync(module: WasmBytes | WasmModule): void;
