// The clock. Every contender runs in every round, so that what slows the machine slows all of them alike.

const LONG = { rounds: 151, slice: 2_000_000n, warm: 300_000_000n };
/** To see that all of them run. */
const SHORT = { rounds: 3, slice: 50_000n, warm: 0n };

let sink = 0;

/**
 * @param {{name: string, bodies?: unknown[], work?: (body: unknown) => unknown, round?: () => number}[]} contenders
 *   `round` is of one that is no JavaScript and measures itself: a round of it, in picoseconds for a body
 * @returns {Map<string, number[]>} picoseconds for a body, round by round
 */
export function measure(contenders, short) {
  const clock = short ? SHORT : LONG;
  const figures = new Map(contenders.map(({ name }) => [name, []]));
  const rounds = contenders.map((contender) => contender.round ?? roundOf(contender, clock));
  for (let round = 0; round < clock.rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const place = (round + turn) % contenders.length;
      figures.get(contenders[place].name).push(rounds[place]());
    }
  }
  if (sink === 1) console.error(sink);
  return figures;
}

function roundOf(contender, clock) {
  const passes = calibrate(contender, clock);
  return () => time(contender, passes).each;
}

/** How many passes fill a slice. Long enough for the compiler to have seen them all. */
function calibrate(contender, { slice, warm }) {
  const end = process.hrtime.bigint() + warm;
  let passes = 1;
  while (time(contender, passes).whole < slice || process.hrtime.bigint() < end) {
    if (time(contender, passes).whole < slice) passes *= 2;
  }
  return passes;
}

function time({ bodies, work }, passes) {
  const start = process.hrtime.bigint();
  for (let pass = 0; pass < passes; pass++) {
    for (let place = 0; place < bodies.length; place++) if (work(bodies[place]) === undefined) sink++;
  }
  const whole = process.hrtime.bigint() - start;
  return { whole, each: Math.round((Number(whole) * 1000) / passes / bodies.length) };
}
