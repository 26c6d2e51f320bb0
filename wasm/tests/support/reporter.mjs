// A short reporter for node:test: failures with their reasons, the output of tests, and the number of passed tests.

export default async function* report(events) {
  let passed = 0;
  let failed = 0;
  const skipped = [];
  for await (const { type, data } of events) {
    if (type === "test:stdout" || type === "test:stderr") {
      yield data.message;
    } else if (type === "test:pass" && data.details.type !== "suite") {
      if (data.skip !== undefined) skipped.push(`   SKIPPED  ${data.name}: ${data.skip}\n`);
      else passed++;
    } else if (type === "test:fail" && data.details.type !== "suite") {
      failed++;
      const { error } = data.details;
      const { cause = error } = error;
      yield `   FAILED  ${data.name}\n${String(cause?.stack ?? cause).replace(/^/gm, "     ")}\n`;
    }
  }
  yield* skipped;
  yield `tests: ${passed} passed, ${failed} failed\n`;
}
