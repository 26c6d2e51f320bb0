// Runs a program in place of this process.
"use strict";

const { spawn } = require("node:child_process");

/** Runs a program, passes signals on to it, and ends as it does. If it cannot be started, `reason` returns the text of the error. */
exports.run = (program, command, reason) => {
  const child = spawn(program, command, { stdio: "inherit" });
  // A terminal sends an interrupt to the program too. Other signals reach only this process.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`payspec: ${reason(error)}\n`);
    process.exit(2);
  });
  child.on("exit", (status, signal) => {
    if (signal === null) process.exit(status);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
};
