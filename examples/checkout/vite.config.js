// The page is served at /checkout/. While developing, what it asks goes on to a gateway (PAYSPEC_SERVER); with an access
// token (PAYSPEC_TOKEN) to any server of the interface's own paths, such as examples/node. No page ever sees the token.

const { PAYSPEC_SERVER: target = "http://127.0.0.1:8080", PAYSPEC_TOKEN: token } = process.env;

/** The page's calls as the interface names them (§4). */
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
