// Measures time. Every candidate runs in every round, so that a busy machine affects all of them.

const LONG = { rounds: 151, slice: 2_000_000n, warm: 300_000_000n };
/** Only checks that all candidates run. */
const SHORT = { rounds: 3, slice: 50_000n, warm: 0n };

let sink = 0;

/**
 * @param {{name: string, bodies?: unknown[], work?: (body: unknown) => unknown, round?: () => number}[]} candidates
 *   `round` replaces `work` for native code: it measures one round and returns picoseconds per body
 * @returns {Map<string, number[]>} picoseconds per body, one entry for each round
 */
export function measure(candidates, short) {
  const clock = short ? SHORT : LONG;
  const figures = new Map(candidates.map(({ name }) => [name, []]));
  const rounds = candidates.map((candidate) => candidate.round ?? roundOf(candidate, clock));
  for (let round = 0; round < clock.rounds; round++) {
    for (let turn = 0; turn < candidates.length; turn++) {
      const index = (round + turn) % candidates.length;
      figures.get(candidates[index].name).push(rounds[index]());
    }
  }
  if (sink === 1) console.error(sink);
  return figures;
}

function roundOf(candidate, clock) {
  const passes = calibrate(candidate, clock);
  return () => time(candidate, passes).each;
}

/** Returns the number of passes in a slice. Runs long enough for the compiler to optimize. */
function calibrate(candidate, { slice, warm }) {
  const end = process.hrtime.bigint() + warm;
  let passes = 1;
  while (time(candidate, passes).whole < slice || process.hrtime.bigint() < end) {
    if (time(candidate, passes).whole < slice) passes *= 2;
  }
  return passes;
}

function time({ bodies, work }, passes) {
  const start = process.hrtime.bigint();
  for (let pass = 0; pass < passes; pass++) {
    for (let index = 0; index < bodies.length; index++) if (work(bodies[index]) === undefined) sink++;
  }
  const whole = process.hrtime.bigint() - start;
  return { whole, each: Math.round((Number(whole) * 1000) / passes / bodies.length) };
}
