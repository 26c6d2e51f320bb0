// The module that is part of the file itself: started by the first engine, without a wait.

import { connect } from "./door.js";
import { Door, initSync } from "#glue";
import encoded from "#module";

connect(() => {
  const module = Uint8Array.from(atob(encoded), (byte) => byte.charCodeAt(0));
  return { exports: initSync({ module }), Door };
});
