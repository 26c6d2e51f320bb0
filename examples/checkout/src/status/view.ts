// The page of a payment, which polls until the payment has ended. A reload shows it again.

import type { Payment } from "payspec";
import { BASE } from "../address.js";
import { isDemonstration, merchantOf, type Answer, type Merchant } from "../api.js";
import { createElement, query, setText } from "../dom.js";
import { onLanguage, texts } from "../language/language.js";
import { showDetails } from "./details.js";
import { follow } from "./follow.js";
import { isEnded, missingState, stateOf, type Shown } from "./states.js";

/** The sign of each tone as a path in a box of 48 × 48. */
const SIGNS: Readonly<Record<Shown["tone"], string>> = {
  wait: "",
  good: "M15 25l6.5 6.5L34 18.5",
  part: "M24 14v13M24 33v.5",
  bad: "M17 17l14 14M31 17L17 31",
};

export function showPayment(root: HTMLElement, uid: string): void {
  const contact = query(root, "[data-contact]", HTMLElement);
  const actions = query(root, "[data-actions]", HTMLElement);
  const shop = query(root, "[data-shop]", HTMLElement);
  /** The payment, or `null` if the address has no payment. */
  let payment: Payment | null | undefined;
  let isLost = false;
  let hasGivenUp = false;
  /** The shop of a demonstration, which an address without a payment links to. */
  let hasShop = false;
  let merchant: Merchant | undefined;
  let loading: Promise<void> | undefined;

  /** Shows everything that has a text. */
  function show(): void {
    setText(contact, isLost ? texts().lost : "");
    if (payment === undefined) return;
    const state = payment === null ? missingState() : stateOf(payment);
    showState(root, state);
    document.title = merchant === undefined ? state.title : `${state.title} · ${merchant.name}`;
    if (payment !== null) showDetails(query(root, "[data-details]", HTMLElement), payment);
    actions.replaceChildren(...(hasGivenUp ? [lookAgain()] : links()));
  }

  function showAnswer(answer: Answer<Payment>): { goOn: boolean; news: boolean } {
    const before = { state: payment?.state, isLost };
    const isMissing = answer.kind === "problem" && answer.problem.status === 404;
    // Without an answer, the payment continues.
    isLost = answer.kind !== "value" && !isMissing;
    if (isMissing) {
      payment = null;
      void isDemonstration().then((isOne) => {
        hasShop = isOne;
        show();
      });
    } else if (answer.kind === "value") {
      payment = answer.value;
      loading ??= loadMerchant();
    }
    const news = payment === null || payment?.state !== before.state;
    if (news || isLost !== before.isLost) show();
    return { goOn: !isMissing && !(payment != null && isEnded(payment)), news };
  }

  /** Shows the registered name. Names and addresses in a payment are what its creator has written. */
  async function loadMerchant(): Promise<void> {
    const answer = await merchantOf(uid);
    // After a lost connection, the next answer tries again.
    if (answer.kind === "networkError") loading = undefined;
    if (answer.kind !== "value") return;
    merchant = answer.value;
    setText(shop, merchant.name);
    show();
  }

  /** Returns the links of a payment that has ended: to the shop, if the operator has registered its origin, and the receipts. */
  function links(): HTMLElement[] {
    const { actions } = texts();
    if (payment == null) return hasShop ? [link(actions.shop, BASE)] : [];
    if (!isEnded(payment)) return [];
    const receipts = payment.receipts.filter(isWeb).map((address) => link(actions.receipt, address));
    const address = merchant?.redirect_url;
    if (!isWeb(address)) return receipts;
    const back = link(payment.state === "fail" ? actions.again : actions.back, address);
    back.append(createElement("span", new URL(address).host, "host"));
    return [back, ...receipts];
  }

  function lookAgain(): HTMLElement {
    const button = createElement("button", texts().actions.look);
    button.type = "button";
    button.addEventListener("click", () => {
      hasGivenUp = false;
      show();
      poll();
    });
    return button;
  }

  const poll = follow(uid, showAnswer, () => {
    hasGivenUp = true;
    show();
  });
  onLanguage(show);
}

/** Reports if an address is a web page. Addresses of a payment are untrusted, so others are not linked. */
const isWeb = (address: string | null | undefined): address is string => /^https?:\/\//i.test(address ?? "");

function link(text: string, address: string): HTMLAnchorElement {
  const anchor = createElement("a", text, "button");
  anchor.href = address;
  return anchor;
}

function showState(root: HTMLElement, { title, text, tone, step }: Shown): void {
  const state = query(root, ".state", HTMLElement);
  state.dataset["tone"] = tone;
  query(state, ".sign", SVGPathElement).setAttribute("d", SIGNS[tone]);
  const heading = query(state, "h1", HTMLHeadingElement);
  // The text of the state replaces that of the waiting page.
  delete heading.dataset["text"];
  setText(heading, title);
  setText(query(state, "[data-state-text]", HTMLElement), text);
  const steps = query(root, ".steps", HTMLOListElement);
  steps.hidden = step === undefined;
  [...steps.children].forEach((item, index) => {
    item.className = step !== undefined && (index < step || step === 2) ? "done" : "";
    if (index === step) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  });
}
