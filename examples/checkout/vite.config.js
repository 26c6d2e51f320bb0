// The page is served at /checkout/. The development server forwards its calls to a gateway (PAYSPEC_SERVER). With an access
// token (PAYSPEC_TOKEN) it forwards them to the paths of the specification, for example to examples/node. The page never
// receives the token.

import { inventory } from "./inventory.js";

const { PAYSPEC_SERVER: target = "http://127.0.0.1:8080", PAYSPEC_TOKEN: token } = process.env;

/** Returns the path of the specification (§4) for a call of the page. */
const rewrite = (path) => path.replace("/checkout/api/payments", "/v1/payments").replace(/payments$/, "payments/new").replace(/(\/payments\/(?!new$).+)$/, "$1/status");

/** The texts of a language have no styles or imports that could be loaded early. The helper of Vite for that takes 650 bytes. */
const withoutPreload = {
  name: "without-preload",
  enforce: "pre",
  load: (id) => (id.includes("vite/preload-helper") ? "export const __vitePreload = (load) => load();" : undefined),
};

export default {
  base: "/checkout/",
  plugins: [withoutPreload, inventory()],
  build: { target: "es2022", modulePreload: { polyfill: false } },
  server: {
    proxy: {
      "/checkout/api": token === undefined ? { target } : { target, rewrite, headers: { authorization: `Bearer ${token}` } },
    },
  },
};
