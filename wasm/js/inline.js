// The module that is part of the file itself, deflated: started by the first engine, without a wait.

// First: compressed once more on the way to a page, a file that begins with it is a kilobyte smaller.
import encoded from "#module";
import { inflateSync } from "fflate";
import { connect } from "./door.js";
import { Door, initSync } from "#glue";

connect(() => {
  const text = atob(encoded);
  const deflated = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) deflated[at] = text.charCodeAt(at);
  return { exports: initSync({ module: inflateSync(deflated) }), Door };
});
