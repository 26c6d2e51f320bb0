// What wasm-bindgen would generate for the small module: it needs no more than this.

let wasm;

export function initSync({ module }) {
  wasm = new WebAssembly.Instance(new WebAssembly.Module(module)).exports;
  return wasm;
}

const left = new FinalizationRegistry((at) => wasm.payspec_free(at));

export class Door {
  #at = wasm.payspec_new();

  constructor() {
    left.register(this, this.#at, this);
  }

  address() {
    return this.#at;
  }

  free() {
    left.unregister(this);
    wasm.payspec_free(this.#at);
  }
}
