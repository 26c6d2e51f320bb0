"use client";

import { useEffect } from "react";

import { use } from "../use.js";

/** Sets the result of all entries in the browser, which the test reads. */
export function Client() {
  useEffect(() => {
    use().then(
      (result) => (globalThis.result = result),
      (error) => (globalThis.result = String(error.stack)),
    );
  }, []);
  return null;
}
