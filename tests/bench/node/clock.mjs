// The clock. Every contender runs in every round, so that what slows the machine slows all of them alike.

// `block`: after so many rounds the contenders that run elsewhere have theirs, all at once, while this process sleeps. Who
// wakes up runs for `awake` milliseconds before anything counts: it takes that long until a processor is at its speed.
const LONG = { rounds: 151, slice: 2_000_000n, warm: 300_000_000n, block: 10, awake: 250 };
/** To see that all of them run. */
const SHORT = { rounds: 3, slice: 50_000n, warm: 0n, block: 2, awake: 0 };

let sink = 0;

/**
 * @param {{name: string, bodies?: unknown[], work?: (body: unknown) => unknown, block?: (rounds: number, awake: number) => Promise<number[]>}[]} contenders
 *   `block` measures elsewhere: so many rounds in picoseconds for a body
 * @returns {Promise<Map<string, number[]>>} picoseconds for a body, round by round
 */
export async function measure(contenders, short) {
  const clock = short ? SHORT : LONG;
  const figures = new Map(contenders.map(({ name }) => [name, []]));
  const [here, elsewhere] = [contenders.filter(({ work }) => work), contenders.filter(({ block }) => block)];
  const passes = new Map(here.map((contender) => [contender, calibrate(contender, clock)]));
  for (let round = 0; round < clock.rounds; round++) {
    if (round % clock.block === 0) {
      const rounds = Math.min(clock.block, clock.rounds - round);
      for (const { name, block } of elsewhere) figures.get(name).push(...(await block(rounds, clock.awake)));
      wake(here[0], passes.get(here[0]), clock.awake);
    }
    for (let turn = 0; turn < here.length; turn++) {
      const contender = here[(round + turn) % here.length];
      figures.get(contender.name).push(time(contender, passes.get(contender)).each);
    }
  }
  if (sink === 1) console.error(sink);
  return figures;
}

function wake(contender, passes, awake) {
  const end = performance.now() + awake;
  while (performance.now() < end) time(contender, passes);
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
