// While developing, requests go on to examples/node. The access token is the shop's: no page ever sees it.

export default {
  build: { target: "es2022" },
  server: {
    proxy: {
      "/v1": {
        target: process.env.PAYSPEC_SERVER ?? "http://127.0.0.1:8080",
        headers: { authorization: `Bearer ${process.env.PAYSPEC_TOKEN ?? ""}` },
      },
    },
  },
};
