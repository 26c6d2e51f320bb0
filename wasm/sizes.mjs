// Where the bytes of a module go: its sections, and its largest functions. node sizes.mjs module.wasm [how many]

import { readFile } from "node:fs/promises";

const SECTIONS = ["custom", "types", "imports", "functions", "tables", "memory", "globals", "exports", "start", "elements", "code", "data", "data count", "tags"];

/** Sections and functions of a module with names, in bytes. */
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
  const functions = bodies.map((size, place) => ({ name: names.get(place + imported) ?? `function ${place + imported}`, size }));
  return { sections, functions: functions.sort((a, b) => b.size - a.size) };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [file, most = "40"] = process.argv.slice(2);
  const { sections, functions } = measure(await readFile(file));
  const line = ({ name, size }) => console.log(`${String(size).padStart(8)}  ${name}`);
  sections.filter(({ size }) => size > 0).forEach(line);
  console.log("");
  functions.slice(0, Number(most)).forEach(line);
}
