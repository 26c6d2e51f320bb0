import { FormApi } from "@tanstack/form-core"; // in a component: useForm of @tanstack/react-form
import { Engine } from "payspec/checkout";

const engine = new Engine();

export const form = new FormApi({
  defaultValues: { payment_type: "pay_in", mode: "P2P", subtype: "sbp", cur: "RUB", amount: "" },
  validators: { onChange: engine.requestSchema },
});
