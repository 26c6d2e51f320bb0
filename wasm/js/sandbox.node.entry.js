// `payspec/sandbox`: a payment service for tests, in Node.js.

export { createSandbox } from "./sandbox/create.js";
export { SandboxError } from "./sandbox/error.js";
