// The module inside the file: a string with a character for each byte, which build.mjs inserts. Servers compress it well.

import { explained } from "./compile.js";
import { PayspecError } from "./error.js";

/** Returns the compiled module. */
export function compileModule() {
  const text = PAYSPEC_MODULE;
  // Latin-1 and windows-1252 have two characters for each byte from 0x80 on. HTML replaces NUL characters.
  if (text.length !== PAYSPEC_LENGTH || /[^\0-\xff]/.test(text)) {
    throw new PayspecError("value", "/engine", 'expected a script that is decoded as UTF-8, with <meta charset="utf-8">, and is not part of an HTML document');
  }
  try {
    return new WebAssembly.Module(bytesOf(text));
  } catch (error) {
    throw explained(error);
  }
}

/** Returns the bytes of the string. In Node.js, Buffer takes 0.3 ms, and the loop 15 to 50 ms, half of the first engine. */
function bytesOf(text) {
  const { Buffer } = globalThis;
  if (typeof Buffer?.from === "function") return Buffer.from(text, "latin1");
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}
