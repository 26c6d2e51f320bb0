// A client in TypeScript, with the types that openapi-typescript generates. Prints what the service answers.

import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Request = components["schemas"]["PaymentCreateRequest"];

/** Returns the code of a problem, which problems of HTTP itself do not have. */
function code(error?: components["schemas"]["Problem"] | components["schemas"]["HttpProblem"]) {
  return error && "code" in error ? error.code : undefined;
}

const [baseUrl, token] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });

const body: Request = { payment_type: "pay_in", mode: "P2P", subtype: "sbp", cur: "RUB", amount: "1500.00" };
const header = { "Idempotency-Key": "order-1007" };

const created = await client.POST("/v1/payments/new", { body, params: { header } });
if (!created.data) throw new Error(created.error.title);
console.log(created.response.status, created.data.state, created.data.amount);

// At once, within the window of the key.
const other = await client.POST("/v1/payments/new", { body: { ...body, amount: "1600.00" }, params: { header } });
console.log(other.response.status, code(other.error));

const read = await client.GET("/v1/payments/{uid}/status", { params: { path: { uid: created.data.uid } } });
console.log(read.response.status, read.data?.uid === created.data.uid);

const invalid = await client.POST("/v1/payments/new", { body: { ...body, amount: "-5" } });
const violations = invalid.error && "violations" in invalid.error ? invalid.error.violations : [];
console.log(invalid.response.status, violations?.map(({ code, path }) => `${code} ${path}`).join());

const balance = await client.GET("/v1/partner/balance");
console.log(balance.response.status, balance.data?.cur);

const rejected = await createClient<paths>({ baseUrl }).GET("/v1/partner/balance");
console.log(rejected.response.status, code(rejected.error));
