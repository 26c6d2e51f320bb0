// The page is served at /checkout/. The development server forwards its calls to a gateway (PAYSPEC_SERVER). With an access
// token (PAYSPEC_TOKEN) it forwards them to the paths of the specification, for example to examples/node. The page never
// receives the token.

const { PAYSPEC_SERVER: target = "http://127.0.0.1:8080", PAYSPEC_TOKEN: token } = process.env;

/** Returns the path of the specification (§4) for a call of the page. */
const rewrite = (path) => path.replace("/checkout/api/payments", "/v1/payments").replace(/payments$/, "payments/new").replace(/(\/payments\/(?!new$).+)$/, "$1/status");

export default {
  base: "/checkout/",
  build: { target: "es2022", modulePreload: { polyfill: false } },
  server: {
    proxy: {
      "/checkout/api": token === undefined ? { target } : { target, rewrite, headers: { authorization: `Bearer ${token}` } },
    },
  },
};
