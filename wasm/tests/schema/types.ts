// Uses that must compile with the types of Standard Schema and of the DOM.

import type { StandardSchemaV1 } from "@standard-schema/spec";
import { Engine, type AcceptedRequest, type CreateRequestInput } from "payspec";
import { Engine as Checkout } from "payspec/checkout";

const engine = new Engine();
export const schemas: StandardSchemaV1<CreateRequestInput, AcceptedRequest>[] = [engine.requestSchema, new Checkout().requestSchema];
export const inferred: StandardSchemaV1.InferOutput<typeof engine.requestSchema>["payment_type"] = "pay_in";
engine.verifyWebhook("{}", { headers: new Headers(), secrets: ["whsec_AA=="], now: new Date() });
engine.verifyWebhook("{}", { headers: new Map<string, string>(), secrets: ["whsec_AA=="], now: new Date() });
