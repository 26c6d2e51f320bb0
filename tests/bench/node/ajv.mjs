// The validator of ajv for a JSON Schema, in Node.js and in a page.

import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** Returns a compiled validator that looks for every error. */
export function compileAjv(schema) {
  const ajv = new Ajv2020({ allErrors: true });
  addFormats.default(ajv, ["uri"]);
  const validate = ajv.compile(schema);
  return (value) => validate(value);
}
