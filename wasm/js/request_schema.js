// Standard Schema v1 (https://standardschema.dev): the request as a schema for libraries of forms and servers.

import { isText } from "./kinds.js";

/** Returns the schema of the requests that an engine accepts. */
export const requestSchema = (engine) => ({
  "~standard": {
    version: 1,
    vendor: "payspec",
    validate(value) {
      const issues = issuesOf(engine, value);
      return issues.length > 0 ? { issues } : { value };
    },
  },
});

/** Returns an issue for each violation of severity `error`, or one for a value that is not plain data. */
function issuesOf(engine, value) {
  try {
    // A text is not an object, even if it is JSON.
    const { violations } = engine.validateRequest(isText(value) ? '""' : (value ?? "null"));
    return violations.filter(({ severity }) => severity === "error").map(({ message, path }) => ({ message, path: keys(path) }));
  } catch (error) {
    if (error.code !== "value") throw error;
    return [{ message: error.expected, path: keys(error.path) }];
  }
}

/** Returns the keys of a JSON Pointer. */
const keys = (pointer) => pointer.split("/").slice(1).map((key) => key.replace(/~1/g, "/").replace(/~0/g, "~"));
