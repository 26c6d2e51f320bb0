// Pseudo-random choices that are the same in each run.

/** Returns functions that choose an integer below a limit, and an entry of a list (mulberry32). */
export function seeded(seed) {
  let state = seed;
  const random = (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return { random, pick: (list) => list[random(list.length)] };
}
