// Starts an instance of the small module, whose exports need no glue.

export const instantiate = (module) => new WebAssembly.Instance(module).exports;
