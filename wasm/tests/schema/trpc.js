import { initTRPC } from "@trpc/server";
import { Engine } from "payspec";

const engine = new Engine();
const { router, procedure } = initTRPC.create();

export const orders = router({
  create: procedure.input(engine.requestSchema).mutation(({ input }) => `${input.amount} ${input.cur}`),
});
