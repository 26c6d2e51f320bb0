// Values that Vite defines in the build.

interface ImportMetaEnv {
  /** The path of the page. Ends with a slash. */
  readonly BASE_URL: string;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}
