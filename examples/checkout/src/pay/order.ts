// The order of a checkout session. Without a session the page shows its example order.

import { session } from "../api.js";
import { createElement, query, setText } from "../dom.js";
import { money, shown } from "../money.js";
import { NETWORK_ERROR } from "../problem-messages.js";

const CLOSED = "This payment link has expired. Please go back to the shop.";

/** Shows the order of a session in the form. Returns false if the session cannot be paid any more. */
export async function showOrder(root: HTMLElement, id: string): Promise<boolean> {
  const answer = await session(id);
  if (answer.kind !== "value") {
    root.replaceChildren(createElement("p", answer.kind === "problem" && answer.problem.status === 404 ? CLOSED : NETWORK_ERROR, "bare"));
    return false;
  }
  const { name, order, amount, currency } = answer.value;
  setText(query(root, "[data-shop]", HTMLElement), name);
  document.title = `Pay ${money(amount, currency)} · ${name}`;
  const form = query(root, "form", HTMLFormElement);
  form.dataset["amount"] = amount;
  form.dataset["currency"] = currency;
  query(root, "#total", HTMLElement).replaceChildren(createElement("span", "Pay ", "unseen"), `${shown(amount)} `, createElement("span", currency, "currency"));
  const line = createElement("div", "");
  line.append(createElement("dt", "Order"), createElement("dd", order));
  query(root, ".lines", HTMLElement).replaceChildren(line);
  return true;
}
