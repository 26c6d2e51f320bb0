// The error for invalid contexts, policies and arguments. The content of a body is never an error.

export class PayspecError extends Error {
  // A build would shorten the name, which consoles print.
  static name = "PayspecError";

  /** @param {string} code the kind of error @param {string} path the JSON Pointer of the value @param {string} message the expected value */
  constructor(code, path, message) {
    super(`${code} error at ${path || "the input"}: ${message}`);
    this.name = "PayspecError";
    this.code = code;
    this.path = path;
    this.expected = message;
  }
}

/** Returns the error for a trap, and for every call after one that did not end. */
export const panic = () => new PayspecError("panic", "", "expected a new Engine, since this one panicked");

/** Returns the error for bytes whose buffer was transferred to another thread. */
export const unreadable = () => new PayspecError("value", "", "expected bytes that can be read");

/** Returns the error for an input for which there is no memory. */
export const tooLarge = () => new PayspecError("memory", "", "expected an input that fits into memory");

/** Returns the error for an answer that does not fit into a string. */
export const tooLong = () => new PayspecError("memory", "", "expected an answer that fits into a string");
