// What Vite puts in while it builds.

interface ImportMetaEnv {
  /** The path that the page is served at; ends with a slash. */
  readonly BASE_URL: string;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}
