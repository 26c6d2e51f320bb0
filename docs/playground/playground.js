// The playground: validates a body in this page. Nothing is sent to a server.

(() => {
  "use strict";

  const { Engine } = payspec;
  const report = payspecReport;
  const element = (id) => document.getElementById(id);
  const [operation, example, body, context, policy] = ["operation", "example", "body", "context", "policy"].map(element);

  const UID = "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11";
  const NOW = "2026-11-20T10:15:30.250Z";
  const CREATE = { uid: UID, now: NOW, authorization: "checked_by_caller", quote: { currency: "RUB", rate: "92.45", as_of: NOW } };
  const PAYMENT = {
    uid: UID, url: null, merchant_id: "shop-42", state: "completed", payment_type: "pay_in", subtype: "sbp",
    requested_amount: "990.50", requested_currency: "RUB", client_amount: "990.50", amount: "990.50", currency: "RUB",
    total: "990.50", net_processed: "990.00", fee: "0.00", commission: "0.00", gross_amount: "990.50",
    shared_commission: "0.00", paid_amount: "990.50", fail_by: null, receipts: [], created_date: NOW, paid_at: null, info: null,
  };
  const REJECTED = {
    payment_type: "pay_in", mode: "P2P", subtype: "bank_card", cur: "JPY", amount: "1500.50", merchant_id: "shop-42",
    callback: "javascript:alert(1)", colour: "blue",
  };
  const VALID = { payment_type: "pay_in", mode: "P2P", subtype: "sbp", cur: "RUB", amount: "990.50", merchant_id: "shop-42" };
  const CRYPTO = { payment_type: "pay_in", mode: "CRYPTO", cur: "RUB", amount: "10000.00", merchant_id: "shop-42" };
  const CARD = {
    payment_type: "pay_in", mode: "ACQUIRING", subtype: "bank_card", cur: "EUR", amount: "249.90", host2host: true,
    pay_in_details: { card: { card_number: "4111111111111112", expiry_year: 2024, expiry_month: 13, security_code: "73" } },
  };
  const LEGACY = { amount: "1500.00", currency: "RUB", subtype: "bank_card", idempotency_key: "order-1007", return_url: "https://shop.example/orders/1007" };

  // Each operation: the label of its second input, the default of it, and the call.
  const OPERATIONS = {
    validate_request: { second: "Current time (optional)", given: NOW, call: (engine) => engine.validateRequestJson(body.value, optional()) },
    create_payment: { second: "Context", given: CREATE, call: (engine) => engine.createPaymentJson(body.value, context.value) },
    check_payment: { second: "Request (optional)", given: "", call: (engine) => engine.checkPaymentJson(body.value, optional()) },
    upgrade_request: { second: "Kind: pay_in or pay_out", given: "pay_in", call: (engine) => engine.upgradeRequestJson(context.value.trim(), body.value) },
    redact: { second: "", given: "", call: (engine) => engine.redactJson(body.value) },
    fingerprint_request: { second: "", given: "", call: (engine) => engine.fingerprintRequestJson(body.value) },
  };
  const EXAMPLES = {
    "A rejected body": ["validate_request", REJECTED],
    "A valid body": ["validate_request", VALID],
    "A card that is not accepted": ["validate_request", CARD],
    "Malformed JSON": ["validate_request", '{"payment_type": "pay_in",\n "amount": 100.00,,\n}'],
    "A response": ["create_payment", VALID],
    "A payment in USDT": ["create_payment", CRYPTO],
    "A payment with a wrong sum": ["check_payment", PAYMENT],
    "A body of the legacy API": ["upgrade_request", LEGACY],
  };

  const optional = () => (context.value.trim() === "" ? undefined : context.value.trim());
  const text = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

  function create(tag, content, className) {
    const made = document.createElement(tag);
    if (content !== undefined) made.textContent = content;
    if (className) made.className = className;
    return made;
  }

  /** Creates an element with a text in which names are between backticks. */
  function withCode(tag, content, className) {
    const made = create(tag, undefined, className);
    made.append(...content.split("`").map((part, index) => (index % 2 === 1 ? create("code", part) : part)));
    return made;
  }

  function showSecond(isNew) {
    const { second, given } = OPERATIONS[operation.value];
    element("context-label").textContent = second || "No second input";
    context.disabled = second === "";
    if (isNew) context.value = text(given);
  }

  /** Returns how many characters of code fit into a line of a card. */
  function columns() {
    const probe = create("pre", "0".repeat(100), "probe");
    element("violations").append(probe);
    const width = probe.getBoundingClientRect().width / 100;
    probe.remove();
    // The padding and the border of a card and of its code.
    return Math.max(Math.floor((element("violations").clientWidth - 44) / width), 20);
  }

  function select({ start, end }) {
    body.focus();
    body.setSelectionRange(start, end);
  }

  /** Returns the policies that change the result of a rule. */
  function policies(code) {
    const known = report.rules.get(code)?.policies ?? [];
    if (known.length === 0) return undefined;
    const details = create("details");
    details.append(create("summary", "A policy that changes the rule"));
    details.append(...known.map((one) => {
      const shown = create("pre", JSON.stringify(one));
      shown.tabIndex = 0;
      return shown;
    }));
    return details;
  }

  function item(engine, violation, width) {
    const entry = create("li");
    const head = create("p");
    head.append(create("strong", violation.severity, violation.severity), " ");
    const code = create("a", violation.code);
    code.href = `../reference/rules/${violation.code}.html`;
    head.append(code, ` ${violation.message}`);
    entry.append(head);
    const place = report.place(engine, body.value, violation);
    const where = create("p", undefined, "where");
    if (violation.path !== "") where.append(create("code", violation.path, "path"), " ");
    if (place) {
      const shown = create("pre", report.excerpt(engine.redactText(body.value), place, width));
      shown.tabIndex = 0;
      shown.setAttribute("aria-label", `Line ${place.line}, column ${place.column}`);
      const button = create("button", `Line ${place.line}, column ${place.column}`, "place");
      button.type = "button";
      button.addEventListener("click", () => select(place));
      where.append(button);
      entry.append(where, shown);
    } else if (violation.path !== "") {
      entry.append(where);
    }
    const help = report.help(body.value, violation, place);
    if (help) entry.append(withCode("p", help, "help"));
    const source = create("p", undefined, "source");
    if (/^D\d+$/.test(violation.source)) {
      const decision = decisions.get(violation.source);
      const link = create("a", violation.source);
      link.href = `../reference/decisions/${violation.source}.html`;
      source.append(link, `: ${decision?.decision ?? ""}`);
    } else {
      source.textContent = `${violation.source} of the specification`;
    }
    entry.append(source);
    const changed = policies(violation.code);
    if (changed) entry.append(changed);
    return entry;
  }

  const ANSWER = "This looks like an answer of the service: validate the request that was sent.";

  /** Shows a text, or hides its element if the text is empty. */
  function show(id, content) {
    element(id).textContent = content;
    element(id).hidden = content === "";
  }

  function describe(answer) {
    if (answer.status !== undefined) {
      const title = answer.body?.title ?? (answer.status === 201 ? "The payment is created" : "");
      return [`${answer.status} ${title}`, answer.status < 300];
    }
    if (answer.valid !== undefined) {
      const counts = ["error", "warning"].map((name) => {
        const count = answer.violations.filter(({ severity }) => severity === name).length;
        return count > 0 ? `${count} ${name}${count === 1 ? "" : "s"}` : "";
      });
      return [[`The body is ${answer.valid ? "valid" : "invalid"}`, counts.filter(Boolean).join(", ")].filter(Boolean).join(": ") + ".", answer.valid];
    }
    return ["The call is accepted.", true];
  }

  let engine;
  let engineText;
  const decisions = new Map(new Engine().decisions().decisions.map((decision) => [decision.id, decision]));

  function run() {
    const summary = element("summary");
    const list = element("violations");
    const answer = element("answer");
    list.replaceChildren();
    answer.textContent = "";
    show("detail", "");
    show("note", "");
    try {
      if (engine === undefined || engineText !== policy.value) {
        engineText = policy.value;
        engine = undefined;
        engine = new Engine(policy.value.trim() === "" ? {} : parsed(policy.value));
      }
      const json = OPERATIONS[operation.value].call(engine);
      const value = JSON.parse(json);
      const [title, isGood] = describe(value);
      summary.textContent = title;
      summary.className = isGood ? "good" : "bad";
      const violations = value.violations ?? value.body?.violations ?? value.warnings ?? [];
      const width = columns();
      list.append(...(Array.isArray(violations) ? violations : []).map((violation) => item(engine, violation, width)));
      show("detail", value.body?.detail ?? "");
      if (list.childElementCount > 0 && report.isAnswer(engine, body.value)) show("note", ANSWER);
      answer.textContent = JSON.stringify(value, null, 2);
    } catch (error) {
      // An invalid context or policy is an error of the caller, with a path.
      const { code, path, expected, message } = error;
      summary.textContent = expected ? `The ${code} is not valid${path ? ` at ${path}` : ""}: ${expected}` : message;
      summary.className = "bad";
    }
    element("answer-details").hidden = answer.textContent === "";
  }

  function parsed(json) {
    try {
      return JSON.parse(json);
    } catch {
      throw new Error("The policy is not JSON.");
    }
  }

  function load([name, value]) {
    operation.value = name;
    body.value = text(value);
    showSecond(true);
    run();
  }

  /** Restores the inputs from the fragment of the address, which browsers do not send. */
  function restore() {
    const given = new URLSearchParams(location.hash.slice(1));
    if (!given.has("body") || !Object.hasOwn(OPERATIONS, given.get("operation"))) return false;
    operation.value = given.get("operation");
    body.value = given.get("body");
    policy.value = given.get("policy") ?? "";
    showSecond(true);
    if (given.has("context")) context.value = given.get("context");
    run();
    return true;
  }

  async function share() {
    const given = new URLSearchParams({ operation: operation.value, body: body.value, context: context.value, policy: policy.value });
    history.replaceState(null, "", `#${given}`);
    try {
      await navigator.clipboard.writeText(location.href);
      element("shared").textContent = "The link is copied.";
    } catch {
      element("shared").textContent = "The link is in the address bar.";
    }
  }

  operation.append(...Object.keys(OPERATIONS).map((name) => create("option", name)));
  example.append(...Object.keys(EXAMPLES).map((name) => create("option", name)));
  example.addEventListener("change", () => load(EXAMPLES[example.value]));
  operation.addEventListener("change", () => {
    showSecond(true);
    run();
  });
  for (const field of [body, context, policy]) field.addEventListener("input", run);
  element("share").addEventListener("click", share);
  element("controls").addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", restore);
  window.addEventListener("resize", run);
  if (!restore()) load(EXAMPLES["A rejected body"]);
})();
