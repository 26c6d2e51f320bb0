// The package's version: build.mjs puts in that of package.json.

export const VERSION = PAYSPEC_VERSION;
