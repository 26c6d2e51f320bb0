// Messages about violations: those of the page for card fields, otherwise those of the library in the language of the page.

import type { Violation } from "payspec/checkout";
import { texts } from "../language/language.js";

export function messageOf(violation: Violation): string {
  const { fields, missing, violation: other } = texts();
  if (violation.code === "missing") return missing[violation.path.slice(violation.path.lastIndexOf("/") + 1)] ?? other(violation);
  const message = fields[violation.code] as ((violation: Violation) => string) | undefined;
  return (message ?? other)(violation);
}
