import { Engine } from "payspec"; // ready at once; with require() too

const engine = new Engine({ currencies: ["RUB"] });
const report = engine.validateRequest({ payment_type: "pay_in", mode: "P2P", subtype: "sbp", cur: "RUB", amount: "-5" });
console.log(report.valid, report.violations[0].code); // false amount_syntax
