// The encoder and the decoder of UTF-8, which are created at the first use.

import { tooLong } from "./error.js";
import { global } from "./globals.js";

let utf8Encoder;
let utf8Decoder;

export const encoder = () => (utf8Encoder ??= new (global("TextEncoder"))());

/** Returns bytes as text. A BOM at the beginning is kept. */
export function decode(bytes) {
  utf8Decoder ??= new (global("TextDecoder"))("utf-8", { ignoreBOM: true });
  try {
    return utf8Decoder.decode(bytes);
  } catch {
    throw tooLong();
  }
}
