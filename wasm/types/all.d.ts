// The common exports of `payspec` and `payspec/slim`.

export * from "./answers.js";
export * from "./batch.js";
export * from "./checkout-operations.js";
export * from "./common.js";
export * from "./contexts.js";
export * from "./engine.js";
export * from "./operations.js";
export * from "./outcomes.js";
export * from "./payment.js";
export * from "./policy.js";
export * from "./request.js";
export * from "./request-schema.js";
export * from "./violations.js";
export * from "./values.js";
