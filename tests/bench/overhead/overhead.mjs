// Prints nanoseconds for a verdict and for a report as text. native.c does the same in C.

import { Engine } from "payspec";

const BODY = '{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}';
const CALLS = 200_000;

function best(run) {
  let least = Infinity;
  for (let round = 0; round < 5; round++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < CALLS; i++) run();
    least = Math.min(least, Number(process.hrtime.bigint() - start) / CALLS);
  }
  return Math.round(least);
}

const engine = new Engine();
console.log(best(() => engine.isValidRequest(BODY)), best(() => engine.validateRequestJson(BODY)));
