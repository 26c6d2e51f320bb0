// Shows the size of a module by sections, parts of the library, and largest functions. `node sizes.mjs` shows
// the modules that `cargo xtask npm` has built; node sizes.mjs module.wasm [how many functions]

import { readFile } from "node:fs/promises";
import { argv } from "node:process";

const SECTIONS = ["custom", "types", "imports", "functions", "tables", "memory", "globals", "exports", "start", "elements", "code", "data", "data count", "tags"];

/** Returns the sections and functions of a module with names, in bytes. */
export function measure(bytes) {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  const text = () => {
    const length = number();
    at += length;
    return new TextDecoder().decode(bytes.subarray(at - length, at));
  };
  const sections = [];
  const bodies = [];
  const names = new Map();
  let imported = 0;
  while (at < bytes.length) {
    const section = SECTIONS[bytes[at++]];
    const size = number();
    const end = at + size;
    let name = section;
    if (section === "custom") {
      name = text();
      while (name === "name" && at < end) {
        const kind = bytes[at++];
        const stop = number() + at;
        if (kind === 1) for (let left = number(); left > 0; left--) names.set(number(), text());
        at = stop;
      }
    } else if (section === "imports") {
      for (let left = number(); left > 0; left--) {
        text();
        text();
        if (bytes[at++] === 0) imported++;
        number();
      }
    } else if (section === "code") {
      for (let left = number(); left > 0; left--) {
        const length = number();
        bodies.push(length);
        at += length;
      }
    }
    sections.push({ name, size });
    at = end;
  }
  const functions = bodies.map((size, index) => ({ name: names.get(index + imported) ?? `function ${index + imported}`, size }));
  return { sections, functions: functions.sort((a, b) => b.size - a.size) };
}

/** Returns the path at the start of a name of Rust, mangled (v0) or not: `payspec::request::check`. Other names stay. */
export function readable(name) {
  const written = /^<*&?(\w+)\[[0-9a-f]+\]((?:::\w+)*)>?((?:::\w+)*)/.exec(name);
  if (written !== null) return written.slice(1).join("");
  const crate = /^_R.*?C(?:s[0-9A-Za-z]*_)?(?=[0-9])/.exec(name);
  if (crate === null) return name;
  const path = [];
  let rest = name.slice(crate[0].length);
  for (;;) {
    const length = /^(?:s[0-9A-Za-z]*_)?([0-9]+)_?/.exec(rest);
    // A closure has no name: its length is 0.
    if (length === null || Number(length[1]) === 0) return path.join("::");
    path.push(rest.slice(length[0].length, length[0].length + Number(length[1])));
    rest = rest.slice(length[0].length + Number(length[1]));
  }
}

/** Adds up the functions by part: the modules of payspec, and the other crates. */
export function parts(functions) {
  const sums = new Map();
  for (const { name, size } of functions) {
    const [crate, part] = readable(name).split("::");
    const key = crate === "payspec" && part !== undefined ? `payspec::${part}` : crate;
    sums.set(key, (sums.get(key) ?? 0) + size);
  }
  return [...sums].map(([name, size]) => ({ name, size })).sort((a, b) => b.size - a.size);
}

async function show(file, most) {
  const { sections, functions } = measure(await readFile(file));
  const list = (title, items) => {
    console.log(`\n${title}`);
    items.forEach(({ name, size }) => console.log(`${String(size).padStart(8)}  ${name}`));
  };
  console.log(file);
  list("sections", sections.filter(({ size }) => size > 0));
  list("parts of the code", parts(functions).slice(0, most));
  list("functions", functions.slice(0, most).map(({ name, size }) => ({ name: readable(name), size })));
}

if (argv[1] === new URL(import.meta.url).pathname) {
  const [file, most = "30"] = argv.slice(2);
  const built = (module) => new URL(`../target/npm/${module}/payspec.named.wasm`, import.meta.url).pathname;
  const files = file === undefined ? ["all", "checkout"].map(built) : [file];
  try {
    for (const file of files) await show(file, Number(most));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    console.error(`${error.path} does not exist: \`cargo xtask npm\` builds it`);
    process.exitCode = 1;
  }
}
