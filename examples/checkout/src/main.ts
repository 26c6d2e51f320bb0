// The page: the form at the base address, and the status of a payment at an address below it.

import { SESSION, uidOf } from "./address.js";
import { query } from "./dom.js";
import { startLanguage } from "./language/language.js";
import { showForm } from "./pay/form.js";
import { showOrder } from "./pay/order.js";
import { showPayment } from "./status/view.js";

query(document, "#late", HTMLElement).remove();
await startLanguage();
const uid = uidOf(location.pathname);
const view = query(document, uid === undefined ? "#checkout" : "#payment", HTMLElement);
if (uid !== undefined) showPayment(view, uid);
else if (await showOrder(view, SESSION)) showForm(view);
view.hidden = false;
