// Programs on this machine.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Returns the path of the first of these programs that is installed, or undefined. */
export function find(names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(runs);
}

function runs(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
