// The one error this package throws: the host's own mistake. What comes off the wire never ends here.

export class PayspecError extends Error {
  // A build shortens the names of classes, and this one is what a console shows.
  static name = "PayspecError";

  /** @param {string} code what kind of mistake @param {string} path where, as a JSON Pointer @param {string} message what was expected there */
  constructor(code, path, message) {
    super(`${code} error at ${path || "the input"}: ${message}`);
    this.name = "PayspecError";
    this.code = code;
    this.path = path;
    this.expected = message;
  }
}
