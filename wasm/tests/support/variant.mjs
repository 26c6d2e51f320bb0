// Runs the vectors in a separate process, without a method of the platform: node variant.mjs TextEncoder encodeInto

import { imported, loadVectors } from "./package.mjs";
import { runVectors } from "./vectors.mjs";

const [type, method] = process.argv.slice(2);
if (typeof globalThis[type].prototype[method] !== "function") throw new Error(`${type} has no ${method}`);
delete globalThis[type].prototype[method];

const files = loadVectors();
const entry = await imported("index.js");
process.stdout.write(JSON.stringify(["json", "object"].map((form) => runVectors(entry, files, form))));
