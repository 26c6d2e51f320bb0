// Types of `payspec`: all operations, available immediately. TypeScript 4.7 or newer; `using` needs 5.2.

export * from "./all.js";
