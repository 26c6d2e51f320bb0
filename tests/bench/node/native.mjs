// The native verdict: the program in Rust measures a block of rounds for each line that it is given, so that both share the run.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export function startNative(program) {
  const child = spawn(program, ["verdict"], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  /** So many rounds, after so many milliseconds that do not count. */
  const block = async (rounds, awake) => {
    child.stdin.write(`${rounds} ${awake}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`${program} ended`);
    return value.split(" ").map(Number);
  };
  return { block, stop: () => child.stdin.end() };
}
