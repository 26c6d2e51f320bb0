// The globals that the glue of wasm-bindgen uses. build.mjs replaces their names by members of this object.

import { global } from "./globals.js";

export const PLATFORM = {
  get TextDecoder() {
    return global("TextDecoder");
  },
  get TextEncoder() {
    return global("TextEncoder");
  },
};
