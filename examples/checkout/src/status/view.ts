// A payment at its own address: followed to its end, and shown again after a reload.

import type { Payment } from "payspec";
import { BASE } from "../address.js";
import type { Answer } from "../api.js";
import { make, need, say } from "../dom.js";
import { inWords } from "../words.js";
import { showDetails } from "./details.js";
import { follow } from "./follow.js";
import { stateOf, type Shown } from "./states.js";

/** The sign of each tone, drawn into a circle of 48. */
const SIGNS: Readonly<Record<Shown["tone"], string>> = {
  wait: "",
  good: "M15 25l6.5 6.5L34 18.5",
  part: "M24 14v13M24 33v.5",
  bad: "M17 17l14 14M31 17L17 31",
};

const LOST = "No connection to the payment service. We keep trying; your payment goes on meanwhile.";

export function showPayment(root: HTMLElement, uid: string): void {
  const contact = need(root, "[data-contact]", HTMLElement);
  const actions = need(root, "[data-actions]", HTMLElement);
  let last: string | undefined;

  function told(answer: Answer<Payment>): { goOn: boolean; news: boolean } {
    if (answer.kind === "problem" && answer.problem.status === 404) {
      const missing: Shown = { title: "No such payment", text: inWords({ status: 404, code: "payment_not_found" }), tone: "bad", ended: true };
      showState(root, missing);
      actions.replaceChildren(link("Go to the shop", BASE));
      return { goOn: false, news: true };
    }
    if (answer.kind !== "value") {
      // Whatever is in between, the payment goes on without the page.
      say(contact, LOST);
      return { goOn: true, news: false };
    }
    const payment = answer.value;
    const shown = stateOf(payment);
    const news = payment.state !== last;
    last = payment.state;
    say(contact, "");
    if (news) {
      showState(root, shown);
      showDetails(need(root, "[data-details]", HTMLElement), payment);
      if (shown.ended) finish(payment);
    }
    return { goOn: !shown.ended, news };
  }

  function finish(payment: Payment): void {
    const back = payment.redirect_url;
    actions.replaceChildren();
    if (isWeb(back)) actions.append(link(payment.state === "fail" ? "Try again" : "Back to the shop", back));
    for (const address of payment.receipts) if (isWeb(address)) actions.append(link("Receipt", address));
  }

  const again = follow(uid, told, () => {
    const button = make("button", "Look again");
    button.type = "button";
    button.addEventListener("click", () => {
      actions.replaceChildren();
      again();
    });
    actions.replaceChildren(button);
  });
}

/** The addresses of a payment came from elsewhere: nothing but a page is linked to. */
const isWeb = (address: string | undefined): address is string => /^https?:\/\//i.test(address ?? "");

function link(text: string, address: string): HTMLAnchorElement {
  const made = make("a", text, "button");
  made.href = address;
  return made;
}

function showState(root: HTMLElement, { title, text, tone, step }: Shown): void {
  const state = need(root, ".state", HTMLElement);
  state.dataset["tone"] = tone;
  need(state, ".sign", SVGPathElement).setAttribute("d", SIGNS[tone]);
  say(need(state, "h1", HTMLHeadingElement), title);
  say(need(state, "[data-state-text]", HTMLElement), text);
  document.title = `${title} · Example Shop`;
  const steps = need(root, ".steps", HTMLOListElement);
  steps.hidden = step === undefined;
  [...steps.children].forEach((item, place) => {
    item.className = step !== undefined && (place < step || step === 2) ? "done" : "";
    if (place === step) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  });
}
