// The page: the form at its own address, a payment's status at an address below it.

import { uidOf } from "./address.js";
import { need } from "./dom.js";
import { showForm } from "./pay/form.js";
import { showPayment } from "./status/view.js";

const uid = uidOf(location.pathname);
const view = need(document, uid === undefined ? "#checkout" : "#payment", HTMLElement);
if (uid === undefined) showForm(view);
else showPayment(view, uid);
view.hidden = false;
