// The native verdict: the program in Rust measures a round for each line that it is given, so that both share the run.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export function startNative(program) {
  const child = spawn(program, ["verdict"], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const round = async () => {
    child.stdin.write("\n");
    const { value, done } = await lines.next();
    if (done) throw new Error(`${program} ended`);
    return Number(value);
  };
  return { round, stop: () => child.stdin.end() };
}
