import { sValidator } from "@hono/standard-validator";
import { Hono } from "hono";
import { Engine } from "payspec";

const engine = new Engine();

export const app = new Hono().post("/orders", sValidator("json", engine.requestSchema), (context) => {
  const { amount, cur } = context.req.valid("json");
  return context.json({ accepted: `${amount} ${cur}` });
});
