// The console of the sandbox. It shows one merchant, and reads it again after each change that the sandbox announces.

const GOOD = new Set(["completed"]);
const BAD = new Set(["fail", "cancel", "chargeback"]);

const find = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);

let merchant = query.get("merchant") ?? document.body.dataset.merchant;
let selected = location.hash.slice(1) || undefined;
let source;
let token = "";
/** The time of the sandbox and of the browser at the last update, for a clock that runs. */
let clock = { now: 0, at: 0, running: false };
let reading = false;
let again = false;
/** Resolves after the click of the pointer that is pressed. */
let released = Promise.resolve();
let release = () => {};

/** Creates an element with text or children. */
function element(name, options = {}, ...children) {
  const { classes, attributes, ...properties } = options;
  const made = Object.assign(document.createElement(name), properties);
  if (classes) made.className = classes;
  for (const [key, value] of Object.entries(attributes ?? {})) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Calls the sandbox for the merchant. Shows the detail of a problem. */
async function call(path, { method = "GET", body, show = true } = {}) {
  const headers = body === undefined ? {} : { "Content-Type": "application/json" };
  const separator = path.includes("?") ? "&" : "?";
  const response = await fetch(`/sandbox/${path}${separator}merchant=${encodeURIComponent(merchant)}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const text = await response.text();
  const answer = text === "" ? undefined : JSON.parse(text);
  if (response.ok) return answer;
  if (show) showMessage(answer?.detail ?? answer?.title ?? `The sandbox answered ${response.status}.`);
  return undefined;
}

function showMessage(text) {
  find("message").textContent = text;
  find("message").hidden = text === "";
}

function stateOf(name) {
  const kind = GOOD.has(name) ? "good" : BAD.has(name) ? "bad" : "wait";
  return element("span", { classes: `state ${kind}`, textContent: name });
}

const time = (text) => text.replace("T", " ").replace("Z", "");

function showClock() {
  const now = clock.now + (clock.running ? Date.now() - clock.at : 0);
  find("now").textContent = time(new Date(now).toISOString());
}

/** Replaces the items of a list, and keeps the focus on the item with the same key. */
function replace(list, items) {
  const focused = list.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  list.replaceChildren(...items);
  if (focused !== undefined) list.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

function showPayments(state) {
  token = state.token;
  clock = { now: Date.parse(state.now), at: Date.now(), running: state.running };
  showClock();
  find("clock-state").textContent = state.running ? "Clock, running" : "Clock, stopped";
  find("run").textContent = state.running ? "Stop" : "Run";
  find("api").textContent = location.origin;
  find("token").textContent = state.token;
  find("secret").textContent = state.webhook_secret;
  const faults = state.faults.map(({ count, status, delay_ms: delay, drop, endpoint, when }) => {
    const effects = [status === undefined ? "" : `status ${status}`, delay === undefined ? "" : `${delay} ms late`, drop ? "dropped" : ""];
    const calls = count === 1 ? "call" : `${count} calls`;
    return `the next ${calls}${endpoint ? ` of ${endpoint}` : ""}: ${effects.filter(Boolean).join(", ")}${when === "after" ? " after it is served" : ""}`;
  });
  if (state.selected) faults.push(`the next ${state.selected.count === 1 ? "payment" : `${state.selected.count} payments`}: ${state.selected.name}`);
  find("pending-faults").textContent = faults.join("; ");
  find("pending-faults").hidden = faults.length === 0;
  find("empty").hidden = state.payments.length > 0;
  find("more").hidden = state.total <= state.payments.length;
  find("more").textContent = `The last ${state.payments.length} of ${state.total} payments.`;
  const items = state.payments.map((payment) => {
    const amount = `${payment.requested_amount} ${payment.requested_currency}`;
    const kind = payment.payment_type === "pay_out" ? "pay-out" : "pay-in";
    const parts = [kind, payment.mode, payment.scenario, time(payment.created).slice(11, 19)];
    if (payment.deliveries > 0) parts.push(`${payment.deliveries} ${payment.deliveries === 1 ? "callback" : "callbacks"}`);
    const button = element(
      "button",
      { type: "button", attributes: { "aria-current": String(payment.uid === selected), "data-key": payment.uid } },
      element("span", { classes: "amount", textContent: amount }),
      stateOf(payment.state),
      element("span", { classes: "meta", textContent: parts.filter(Boolean).join(" · ") }),
    );
    button.addEventListener("click", () => select(payment.uid));
    return element("li", {}, button);
  });
  replace(find("payments"), items);
}

function showTimeline({ timeline, next }) {
  const moments = timeline.map(({ state, at, by }) => element("li", {}, stateOf(state), " ", element("time", { textContent: time(at) }), element("span", { classes: "faint", textContent: ` by ${by}` })));
  if (next) moments.push(element("li", { classes: "next" }, stateOf(next.state), " ", element("time", { textContent: `due ${time(next.at)}` })));
  find("timeline").replaceChildren(...moments);
}

function showTransitions({ transitions, uid }) {
  const needed = new Set(transitions.flatMap(({ needs }) => needs));
  for (const field of find("fields").querySelectorAll("input")) field.parentElement.hidden = !needed.has(field.name);
  const buttons = transitions.map(({ to, needs }) => {
    const button = element("button", { type: "button", textContent: to, attributes: { "data-key": to } });
    button.addEventListener("click", async () => {
      const values = Object.fromEntries(needs.map((name) => [name, find("advance").elements[name].value]).filter(([, value]) => value !== ""));
      showMessage("");
      button.disabled = true;
      await call(`payments/${uid}/advance`, { method: "POST", body: { to, ...values } });
      button.disabled = false;
    });
    return button;
  });
  replace(find("transitions"), buttons);
}

function showDeliveries({ deliveries, callback }) {
  find("callback").textContent = callback ? `To ${callback}` : "The request has no callback.";
  const list = find("deliveries");
  const open = new Set([...list.querySelectorAll("details[open]")].map((shown) => shown.dataset.id));
  const items = deliveries.map((attempt) => {
    const id = `${attempt.event} ${attempt.attempt}`;
    const { delivered, status, detail } = attempt.result;
    const outcome = delivered ? `delivered, ${status}` : detail;
    const again = element("button", { type: "button", textContent: "Repeat", attributes: { "data-key": id, "aria-label": `Repeat the event ${attempt.state}` } });
    again.addEventListener("click", () => call(`deliveries/${attempt.event}/repeat`, { method: "POST" }));
    const headers = Object.entries(attempt.headers).map(([name, value]) => `${name}: ${value}`);
    const next = attempt.next_attempt_at ? `, again at ${time(attempt.next_attempt_at)}` : "";
    return element(
      "li",
      {},
      element("div", { classes: "row" }, stateOf(attempt.state), element("span", { textContent: `attempt ${attempt.attempt}` }), element("span", { classes: "faint", textContent: `${time(attempt.at)}: ${outcome}${next}` }), again),
      element("details", { open: open.has(id), attributes: { "data-id": id } }, element("summary", { textContent: "Headers and body" }), element("pre", { textContent: `${headers.join("\n")}\n\n${attempt.body}`, tabIndex: 0, attributes: { role: "region", "aria-label": `Headers and body of ${attempt.state}, attempt ${attempt.attempt}` } })),
    );
  });
  replace(list, items);
}

const pretty = (value) => JSON.stringify(value, null, 2);

function showPayment(payment) {
  find("details").hidden = payment === undefined;
  find("no-payment").hidden = payment !== undefined;
  if (payment === undefined) return;
  find("uid").textContent = payment.uid;
  find("state").replaceWith(Object.assign(stateOf(payment.state), { id: "state" }));
  find("about").textContent = `${payment.scenario}: ${payment.about}`;
  showTimeline(payment);
  showTransitions(payment);
  showDeliveries(payment);
  find("request").textContent = pretty(payment.request);
  find("response").textContent = pretty(payment.response);
  find("current").textContent = pretty(payment.payment);
}

/** Reads everything again. Changes that come meanwhile are read afterwards. Nothing is shown while a pointer is pressed. */
async function read() {
  if (reading) {
    again = true;
    return;
  }
  reading = true;
  try {
    const state = await call("payments");
    await released;
    if (state) showPayments(state);
    const payment = selected === undefined ? undefined : await call(`payments/${selected}`, { show: false });
    await released;
    showPayment(payment);
  } catch {
    setLive(false);
  }
  reading = false;
  if (again) {
    again = false;
    void read();
  }
}

function select(uid) {
  selected = uid;
  history.replaceState(null, "", `#${uid}`);
  for (const name of ["paid_amount", "amount"]) find("advance").elements[name].value = "";
  void read().then(() => {
    if (matchMedia("(max-width: 820px)").matches) find("payment-title").focus();
  });
}

// A button that is replaced between press and release receives no click.
addEventListener("pointerdown", () => {
  release();
  released = new Promise((resolve) => {
    release = resolve;
  });
});
for (const end of ["pointerup", "pointercancel", "contextmenu", "blur"]) {
  // The click follows the release within the same task.
  addEventListener(end, () => setTimeout(release));
}

function setLive(on) {
  find("live").textContent = on ? "live" : "not connected";
  find("live").classList.toggle("on", on);
}

function listen() {
  source?.close();
  source = new EventSource(`/sandbox/events?merchant=${encodeURIComponent(merchant)}`);
  source.addEventListener("open", () => {
    setLive(true);
    void read();
  });
  source.addEventListener("change", () => void read());
  source.addEventListener("error", () => setLive(false));
}

async function readMerchants() {
  const merchants = (await call("merchants")) ?? [];
  const names = merchants.map((one) => one.merchant);
  if (!names.includes(merchant)) names.push(merchant);
  find("merchant").replaceChildren(...names.map((name) => element("option", { value: name, textContent: name, selected: name === merchant })));
}

find("merchant").addEventListener("change", (event) => {
  merchant = event.target.value;
  selected = undefined;
  history.replaceState(null, "", merchant === document.body.dataset.merchant ? "/sandbox" : `/sandbox?merchant=${encodeURIComponent(merchant)}`);
  listen();
});
find("merchant").addEventListener("focus", () => void readMerchants());

for (const button of document.querySelectorAll("[data-advance]")) {
  button.addEventListener("click", () => call("clock", { method: "POST", body: { advance_ms: Number(button.dataset.advance) } }));
}
find("run").addEventListener("click", () => call("clock", { method: "POST", body: { running: !clock.running } }));
find("reset").addEventListener("click", async () => {
  showMessage("");
  selected = undefined;
  history.replaceState(null, "", location.pathname + location.search);
  await call("reset", { method: "POST" });
});
find("advance").addEventListener("submit", (event) => event.preventDefault());

const scenarios = await (await fetch("/sandbox/scenarios")).json();
find("scenario").replaceChildren(...scenarios.filter(({ name }) => !/_by_(card|phone)$/.test(name)).map(({ name }) => element("option", { value: name, textContent: name })));
find("create").addEventListener("submit", async (event) => {
  event.preventDefault();
  showMessage("");
  const { trigger } = scenarios.find(({ name }) => name === find("scenario").value);
  const body = { payment_type: "pay_in", mode: "P2P", subtype: "bank_card", cur: "RUB", amount: "1500.00", ...trigger };
  const response = await fetch("/v1/payments/new", { method: "POST", headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` }, body: JSON.stringify(body) });
  const answer = await response.json();
  if (response.status === 201) select(answer.uid);
  else showMessage(answer.detail ?? answer.title);
});

setInterval(() => clock.running && showClock(), 250);
void readMerchants();
listen();
