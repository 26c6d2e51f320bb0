/** The sandbox did not start, or did not accept a call of a test. The message names the member. */
export class SandboxError extends Error {}
SandboxError.prototype.name = "SandboxError";
