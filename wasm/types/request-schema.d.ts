// The request as a schema of Standard Schema v1 (https://standardschema.dev), whose interface may be copied.

import type { CreateRequestInput } from "./request.js";
import type { Mode, PaymentType, Subtype } from "./values.js";

/** A request that {@link RequestSchema} accepts. */
export interface AcceptedRequest extends CreateRequestInput {
  readonly payment_type: PaymentType;
  readonly mode?: Mode | null | undefined;
  readonly cur: string;
  readonly amount: string;
  readonly subtype?: Subtype | null | undefined;
}

/** A violation of severity `error`. */
export interface RequestIssue {
  readonly message: string;
  /** The keys of the member: `["pay_in_details", "card"]`. */
  readonly path: readonly string[];
}

/** The result of a validation: the value itself, or its issues. */
export type RequestResult =
  | { readonly value: AcceptedRequest; readonly issues?: undefined }
  | { readonly issues: readonly RequestIssue[] };

/** The schema of a request. */
export interface RequestSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "payspec";
    /** Validates any value, without waiting. */
    readonly validate: (value: unknown) => RequestResult;
    /** The types of the input and of an accepted value. The property does not exist. */
    readonly types?: { readonly input: CreateRequestInput; readonly output: AcceptedRequest } | undefined;
  };
}
