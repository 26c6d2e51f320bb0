// The page of a payment, which polls until the payment has ended. A reload shows it again.

import type { Payment } from "payspec";
import { BASE } from "../address.js";
import { isDemonstration, merchantOf, type Answer, type Merchant } from "../api.js";
import { createElement, query, setText } from "../dom.js";
import { messageFor } from "../problem-messages.js";
import { showDetails } from "./details.js";
import { follow } from "./follow.js";
import { stateOf, type Shown } from "./states.js";

/** The sign of each tone as a path in a box of 48 × 48. */
const SIGNS: Readonly<Record<Shown["tone"], string>> = {
  wait: "",
  good: "M15 25l6.5 6.5L34 18.5",
  part: "M24 14v13M24 33v.5",
  bad: "M17 17l14 14M31 17L17 31",
};

const LOST = "No connection to the payment service. We keep trying; your payment continues.";

export function showPayment(root: HTMLElement, uid: string): void {
  const contact = query(root, "[data-contact]", HTMLElement);
  const actions = query(root, "[data-actions]", HTMLElement);
  const shop = query(root, "[data-shop]", HTMLElement);
  let last: string | undefined;
  let merchant: Promise<Merchant | undefined> | undefined;

  function showAnswer(answer: Answer<Payment>): { goOn: boolean; news: boolean } {
    if (answer.kind === "problem" && answer.problem.status === 404) {
      const missing: Shown = { title: "No such payment", text: messageFor({ status: 404, code: "payment_not_found" }), tone: "bad", ended: true };
      showState(root, missing);
      void isDemonstration().then((yes) => yes && actions.replaceChildren(link("Go to the shop", BASE)));
      return { goOn: false, news: true };
    }
    if (answer.kind !== "value") {
      // The payment continues without the page.
      setText(contact, LOST);
      return { goOn: true, news: false };
    }
    const payment = answer.value;
    const shown = stateOf(payment);
    const news = payment.state !== last;
    last = payment.state;
    setText(contact, "");
    merchant ??= showMerchant();
    if (news) {
      showState(root, shown);
      showDetails(query(root, "[data-details]", HTMLElement), payment);
      if (shown.ended) finish(payment);
    }
    return { goOn: !shown.ended, news };
  }

  /** Shows the registered name. Names and addresses in a payment are what its creator has written. */
  async function showMerchant(): Promise<Merchant | undefined> {
    const answer = await merchantOf(uid);
    if (answer.kind !== "value") {
      // After a lost connection, the next answer tries again.
      if (answer.kind === "networkError") merchant = undefined;
      return undefined;
    }
    setText(shop, answer.value.name);
    shop.hidden = false;
    setTitle(root, answer.value.name);
    return answer.value;
  }

  function finish(payment: Payment): void {
    actions.replaceChildren();
    for (const address of payment.receipts) if (isWeb(address)) actions.append(link("Receipt", address));
    void returnLink(payment).then((back) => back && actions.prepend(back));
  }

  /** Returns the link to the shop, with its host, if the operator has registered its origin for the merchant. */
  async function returnLink(payment: Payment): Promise<HTMLAnchorElement | undefined> {
    const address = (await (merchant ?? showMerchant()))?.redirect_url;
    if (!isWeb(address)) return undefined;
    const back = link(payment.state === "fail" ? "Try again" : "Back to the shop", address);
    back.append(createElement("span", new URL(address).host, "host"));
    return back;
  }

  const poll = follow(uid, showAnswer, () => {
    const button = createElement("button", "Look again");
    button.type = "button";
    button.addEventListener("click", () => {
      actions.replaceChildren();
      poll();
    });
    actions.replaceChildren(button);
  });
}

/** Reports if an address is a web page. Addresses of a payment are untrusted, so others are not linked. */
const isWeb = (address: string | null | undefined): address is string => /^https?:\/\//i.test(address ?? "");

function link(text: string, address: string): HTMLAnchorElement {
  const anchor = createElement("a", text, "button");
  anchor.href = address;
  return anchor;
}

function setTitle(root: HTMLElement, name: string): void {
  const title = query(root, "#state-title", HTMLHeadingElement).textContent;
  document.title = name === "" ? title : `${title} · ${name}`;
}

function showState(root: HTMLElement, { title, text, tone, step }: Shown): void {
  const state = query(root, ".state", HTMLElement);
  state.dataset["tone"] = tone;
  query(state, ".sign", SVGPathElement).setAttribute("d", SIGNS[tone]);
  setText(query(state, "h1", HTMLHeadingElement), title);
  setText(query(state, "[data-state-text]", HTMLElement), text);
  setTitle(root, query(root, "[data-shop]", HTMLElement).textContent);
  const steps = query(root, ".steps", HTMLOListElement);
  steps.hidden = step === undefined;
  [...steps.children].forEach((item, index) => {
    item.className = step !== undefined && (index < step || step === 2) ? "done" : "";
    if (index === step) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  });
}
