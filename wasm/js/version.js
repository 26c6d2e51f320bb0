// The version of the package: build.mjs inserts that of package.json.

export const VERSION = PAYSPEC_VERSION;
