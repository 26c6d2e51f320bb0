// Other libraries with the same structural rules: ajv (../schema.json), zod, valibot. They have no currency table, Luhn,
// scales or duplicate members, so they do less work than payspec.

import { readFileSync } from "node:fs";
import * as v from "valibot";
import { z } from "zod";

import { compileAjv } from "./ajv.mjs";

const schema = JSON.parse(readFileSync(new URL("../schema.json", import.meta.url), "utf8"));

const AMOUNT = /^(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$/;
const CURRENCY = /^[A-Z]{3}$/;
const CARD = /^[0-9]{12,19}$/;
const PHONE = /^\+?[0-9]{7,15}$/;
const CODE = /^[0-9]{3,4}$/;
const PRINTABLE = /^[^\x00-\x1f\x7f-\x9f]*$/;

/** Returns true if mode and subtype are present when they are required. */
const complete = ({ payment_type, mode, subtype }) =>
  payment_type === "pay_out" ? mode != null && subtype != null : mode === "CRYPTO" || subtype != null;

function ofZod() {
  const text = z.string().min(1).max(255).regex(PRINTABLE).nullish();
  const address = z.url({ protocol: /^https?$/ }).max(2048).nullish();
  const card = z.looseObject({
    card_holder: text,
    card_number: z.string().regex(CARD).nullish(),
    expiry_year: z.int().min(0).max(2099).nullish(),
    expiry_month: z.int().min(1).max(12).nullish(),
    security_code: z.string().regex(CODE).nullish(),
  });
  const request = z
    .looseObject({
      payment_type: z.enum(["pay_in", "pay_out"]),
      mode: z.enum(["P2P", "ACQUIRING", "CRYPTO"]).nullish(),
      cur: z.string().regex(CURRENCY),
      amount: z.string().regex(AMOUNT),
      subtype: z.enum(["bank_card", "sbp"]).nullish(),
      merchant_id: text,
      user_id: text,
      user_name: text,
      callback: address,
      redirect_url: address,
      bank_name: text,
      host2host: z.boolean().nullish(),
      description: z.string().min(1).max(1024).nullish(),
      time_to_complete_payment: z.int().min(1).nullish(),
      pay_out_details: z
        .looseObject({ bank_name: text, full_name: text, card_number: z.string().regex(CARD).nullish(), phone_number: z.string().regex(PHONE).nullish() })
        .nullish(),
      pay_in_details: z.looseObject({ card: card.nullish(), bank_name: text }).nullish(),
    })
    .refine(complete);
  return (value) => request.safeParse(value).success;
}

function ofValibot() {
  const text = v.nullish(v.pipe(v.string(), v.minLength(1), v.maxLength(255), v.regex(PRINTABLE)));
  const address = v.nullish(v.pipe(v.string(), v.maxLength(2048), v.url(), v.regex(/^https?:\/\//)));
  const matches = (pattern) => v.nullish(v.pipe(v.string(), v.regex(pattern)));
  const integer = (least, most) => v.nullish(v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most)));
  const card = v.looseObject({
    card_holder: text,
    card_number: matches(CARD),
    expiry_year: integer(0, 2099),
    expiry_month: integer(1, 12),
    security_code: matches(CODE),
  });
  const request = v.pipe(
    v.looseObject({
      payment_type: v.picklist(["pay_in", "pay_out"]),
      mode: v.nullish(v.picklist(["P2P", "ACQUIRING", "CRYPTO"])),
      cur: v.pipe(v.string(), v.regex(CURRENCY)),
      amount: v.pipe(v.string(), v.regex(AMOUNT)),
      subtype: v.nullish(v.picklist(["bank_card", "sbp"])),
      merchant_id: text,
      user_id: text,
      user_name: text,
      callback: address,
      redirect_url: address,
      bank_name: text,
      host2host: v.nullish(v.boolean()),
      description: v.nullish(v.pipe(v.string(), v.minLength(1), v.maxLength(1024))),
      time_to_complete_payment: integer(1, Number.MAX_SAFE_INTEGER),
      pay_out_details: v.nullish(v.looseObject({ bank_name: text, full_name: text, card_number: matches(CARD), phone_number: matches(PHONE) })),
      pay_in_details: v.nullish(v.looseObject({ card: v.nullish(card), bank_name: text })),
    }),
    v.check(complete),
  );
  return (value) => v.safeParse(request, value).success;
}

/** Returns the compiled validators: functions from a value to its verdict. All of them look for every error. */
export const otherLibraries = () => ({ ajv: compileAjv(schema), zod: ofZod(), valibot: ofValibot() });
