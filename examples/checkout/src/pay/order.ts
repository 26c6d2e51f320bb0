// The order of a checkout session. Without a session the page shows its example order.

import { session } from "../api.js";
import { createElement, query, setText } from "../dom.js";
import { money, moneyNodes, shown } from "../language/format.js";
import { onLanguage, texts } from "../language/language.js";

/** Shows an order in the form. Returns false if its session cannot be paid any more. */
export async function showOrder(root: HTMLElement, id: string | undefined): Promise<boolean> {
  const answer = id === undefined ? undefined : await session(id);
  if (answer !== undefined && answer.kind !== "value") {
    const notice = createElement("p", "", "bare");
    root.replaceChildren(notice);
    onLanguage(() => setText(notice, answer.kind === "problem" && answer.problem.status === 404 ? texts().closed : texts().networkError));
    return false;
  }
  const form = query(root, "form", HTMLFormElement);
  const shop = query(root, "[data-shop]", HTMLElement);
  if (answer !== undefined) {
    const { name, order, amount, currency } = answer.value;
    setText(shop, name);
    form.dataset["amount"] = amount;
    form.dataset["currency"] = currency;
    const line = createElement("div", "");
    line.append(createElement("dt", ""), createElement("dd", order));
    query(root, ".lines", HTMLElement).replaceChildren(line);
  }
  const { amount = "", currency = "" } = form.dataset;
  onLanguage(() => {
    if (answer !== undefined) setText(query(root, ".lines dt", HTMLElement), texts().page.order);
    document.title = texts().payTitle(money(amount, currency), shop.textContent);
    query(root, "[data-total]", HTMLElement).replaceChildren(...moneyNodes(amount, currency));
    for (const line of root.querySelectorAll<HTMLElement>("dd[data-amount]")) setText(line, shown(line.dataset["amount"] ?? ""));
  });
  return true;
}
