// The module inside the file, deflated: the first engine starts it without waiting.

// The first import: a file that begins with it is a kilobyte smaller after compression by the server.
import encoded from "#module";
import { inflateSync } from "fflate";
import { setLoader } from "./wasm_engine.js";

let compiled;

setLoader(() => {
  if (compiled) return compiled;
  const text = atob(encoded);
  const deflated = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) deflated[at] = text.charCodeAt(at);
  compiled = new WebAssembly.Module(inflateSync(deflated));
  return compiled;
});
