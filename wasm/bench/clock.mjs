// The clock. Every contender runs in every round, so that what slows the machine slows all of them alike.

const ROUNDS = Number(process.env.ROUNDS ?? 151);
const SLICE = 2_000_000n;

let sink = 0;

/**
 * @param {{name: string, bodies?: unknown[], work?: (body: unknown) => unknown, round?: () => Promise<number>}[]} contenders
 *   `round` measures elsewhere, and gives nanoseconds for a body
 * @returns {Promise<Map<string, number[]>>} nanoseconds for a body, round by round
 */
export async function measure(contenders) {
  const figures = new Map(contenders.map(({ name }) => [name, []]));
  const passes = new Map();
  for (const contender of contenders) if (contender.work) passes.set(contender, calibrate(contender));
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const contender = contenders[(round + turn) % contenders.length];
      const nanoseconds = contender.round ? await contender.round() : time(contender, passes.get(contender)).each;
      figures.get(contender.name).push(nanoseconds);
    }
  }
  if (sink === 1) console.log();
  return figures;
}

/** How many passes fill a slice. Long enough for the compiler to have seen them all. */
function calibrate(contender) {
  const end = process.hrtime.bigint() + 300_000_000n;
  let passes = 1;
  while (time(contender, passes).whole < SLICE || process.hrtime.bigint() < end) {
    if (time(contender, passes).whole < SLICE) passes *= 2;
  }
  return passes;
}

function time({ bodies, work }, passes) {
  const start = process.hrtime.bigint();
  for (let pass = 0; pass < passes; pass++) {
    for (let place = 0; place < bodies.length; place++) if (work(bodies[place]) === undefined) sink++;
  }
  const whole = process.hrtime.bigint() - start;
  return { whole, each: Number(whole) / passes / bodies.length };
}

export const percentile = (values, percent) => [...values].sort((a, b) => a - b)[Math.floor(((values.length - 1) * percent) / 100)];

/** The median of the ratios within each round: a slow round slows both. */
export const ratio = (own, base) => percentile(own.map((value, round) => value / base[round]), 50);
