// The same tests of the page with `payspec sandbox`, which has the page inside. PAYSPEC_SANDBOX names the program.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { after, before } from "node:test";

/** Starts a sandbox for the tests of a file. `pause`: milliseconds between states; without it, its clock is stopped. */
export function sandbox(program, merchant, pause) {
  const self = {
    base: "",
    /** Changes the state of a payment as the console does. */
    async advance(uid, to, ...words) {
      const pairs = words.flatMap((word, index) => (word.startsWith("--") ? [[word.slice(2).replaceAll("-", "_"), words[index + 1]]] : []));
      const body = JSON.stringify({ to, ...Object.fromEntries(pairs) });
      const response = await fetch(new URL(`/sandbox/payments/${uid}/advance`, self.base), { method: "POST", body });
      assert.equal(response.status, 200, await response.text());
    },
  };
  let child;
  before(async () => {
    const clock = pause === undefined ? ["--now", new Date().toISOString()] : ["--step-ms", String(pause)];
    child = spawn(program, ["sandbox", "--listen", "127.0.0.1:0", "--merchant", merchant, ...clock], { stdio: ["ignore", "pipe", "inherit"] });
    self.base = await new Promise((ready, failed) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        if (line.startsWith("page: ")) ready(line.slice("page: ".length));
      });
      child.on("exit", () => failed(new Error("the sandbox has ended")));
    });
  });
  after(async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  });
  return self;
}
