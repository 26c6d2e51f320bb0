// The shared vectors, and a check that all of them ran and passed.

import assert from "node:assert/strict";
import { after } from "node:test";

import { loadVectors } from "./package.mjs";

export const files = loadVectors();

/** The number of vectors in some files. */
export const countOfAll = (files) => files.reduce((sum, { vectors }) => sum + vectors.length, 0);

/** The number of vectors of some operations. */
export const countOf = (operations) => countOfAll(files.filter(({ operation }) => operations.includes(operation)));

let passed = 0;
let failed = 0;

after(() => console.log(`vectors: ${passed} passed, ${failed} failed`));

/** Checks that every vector ran and passed. */
export function checkResult(name, result, expected = countOfAll(files)) {
  passed += result.passed;
  failed += result.failures.length;
  assert.deepEqual(result.failures.slice(0, 10), [], `${name}: ${result.failures.length} failed`);
  assert.equal(result.passed, expected, `${name}: not every vector ran`);
  assert.ok(expected > 0, "there are no vectors");
}
