// Mutated bodies and policies, from those of the vectors. PAYSPEC_MUTATIONS sets their number; PAYSPEC_SEED the first one.

import { loadVectors } from "./package.mjs";
import { seeded } from "./random.mjs";

export const COUNT = Number(process.env.PAYSPEC_MUTATIONS ?? 20_000);
export const { random, pick } = seeded(Number(process.env.PAYSPEC_SEED ?? 24));

const vectors = loadVectors().filter(({ operation }) => operation === "validate_request").flatMap(({ vectors }) => vectors);
export const bodies = vectors.map(({ inputs }) => inputs[0]).filter((body) => typeof body === "string" && body.length < 4000);
export const nows = [undefined, ...vectors.map(({ inputs }) => inputs[1]).filter((now) => typeof now === "string")];
export const policies = vectors.map(({ policy }) => policy).filter((policy) => policy !== undefined);

/** Parts of bodies and policies: names, values, and characters with a meaning in JSON. */
const parts = [
  ...new Set(bodies.flatMap((body) => body.match(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null/g) ?? [])),
  ..."{}[],:\"\\ \n\t0179-+.eE/%@#~", "\\u0034", "\\ud83d\\ude00", "\\ud83d", "\u0000", "\u00e9", "\u2028", "\ud83d\ude00", "\ud83d", "4111 1111 1111 1111",
  '"card_number":"0569309025904","security_code":"1234"', "card06011111111111117.", ...["null", "-0", "1e3", "18446744073709551616", "9007199254740992", "0.5"],
];

/** Returns a text with a few random changes. */
export function mutate(text) {
  let result = text;
  for (let changes = 1 + random(3); changes > 0; changes--) {
    const at = random(result.length + 1);
    const end = Math.min(result.length, at + random(4) * random(12));
    const from = random(result.length + 1);
    result = pick([
      () => result.slice(0, at) + pick(parts) + result.slice(end),
      () => result.slice(0, at) + result.slice(from, from + random(60)) + result.slice(at),
      () => result.slice(0, at) + result.slice(end),
      () => {
        const tokens = result.match(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null/g);
        return tokens ? result.replace(pick(tokens), () => pick(parts)) : result;
      },
    ])();
  }
  return result;
}

/** Returns the value of a JSON text, or undefined. */
export function safe(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns a text as bytes, often with a byte that may not be UTF-8. */
export function damaged(text) {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > 0 && random(2)) bytes[random(bytes.length)] = random(256);
  return bytes;
}
