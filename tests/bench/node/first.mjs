// The first engine and the first call, each in a new process.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../../../wasm/pkg", import.meta.url));
/** Processes per candidate. Further rounds repeat their times, since a process takes longer than a round. */
const [MOST, FEW] = [15, 1];

/** Prints the picoseconds of `new Engine()` and of its first call. */
const PROGRAM = `
const { Engine } = require(process.argv[1]);
const start = process.hrtime.bigint();
const engine = new Engine();
const created = process.hrtime.bigint();
engine.validateRequest({ payment_type: "pay_in", mode: "P2P", subtype: "sbp", cur: "RUB", amount: "990.50" });
const called = process.hrtime.bigint();
console.log(JSON.stringify([created - start, called - created].map((time) => Number(time) * 1000)));
`;

/** Returns the candidates: the name and a function that measures a round. */
export function firstCalls(isShort) {
  return ["index", "checkout"].flatMap((file) => {
    const entry = file === "index" ? "payspec" : `payspec/${file}`;
    const times = Array.from({ length: isShort ? FEW : MOST }, () =>
      JSON.parse(execFileSync(process.execPath, ["-e", PROGRAM, `${PACKAGE}/${file}.cjs`], { encoding: "utf8" })),
    );
    return ["first new Engine()", "first call"].map((name, index) => {
      let round = 0;
      return [`${entry}, ${name}`, () => times[round++ % times.length][index]];
    });
  });
}
