// The clock. Every contender runs in every round, so that what slows the machine slows all of them alike.

const LONG = { rounds: 151, slice: 2_000_000n, warm: 300_000_000n };
/** To see that all of them run. */
const SHORT = { rounds: 3, slice: 50_000n, warm: 0n };

let sink = 0;

/**
 * @param {{name: string, bodies?: unknown[], work?: (body: unknown) => unknown, round?: () => Promise<number>}[]} contenders
 *   `round` measures elsewhere, and gives picoseconds for a body
 * @returns {Promise<Map<string, number[]>>} picoseconds for a body, round by round
 */
export async function measure(contenders, short) {
  const clock = short ? SHORT : LONG;
  const figures = new Map(contenders.map(({ name }) => [name, []]));
  const passes = new Map();
  for (const contender of contenders) if (contender.work) passes.set(contender, calibrate(contender, clock));
  for (let round = 0; round < clock.rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const contender = contenders[(round + turn) % contenders.length];
      const picoseconds = contender.round ? await contender.round() : time(contender, passes.get(contender)).each;
      figures.get(contender.name).push(picoseconds);
    }
  }
  if (sink === 1) console.error(sink);
  return figures;
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
