// `payspec/sandbox` where no program can be started: pages and Workers.

export { SandboxError } from "./sandbox/error.js";
import { SandboxError } from "./sandbox/error.js";

/** Rejects: only Node.js starts a program. */
export async function createSandbox() {
  throw new SandboxError("payspec/sandbox starts the program payspec: import it in Node.js, not in a page or a Worker");
}
