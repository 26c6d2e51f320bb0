// The code of a module in streams: opcodes, locals, offsets, and constants apart, each of which brotli and gzip compress
// better than the mixture. The full module becomes a tenth smaller after compression.
//
// The grammar of the code section is here once, as calls of a coder. `unpack` has one that reads the streams and writes the
// module; the build has one that does the reverse. Alignments are hints, and zero except those of vectors. The grammar has
// the instructions that compilers write here; the build compares the unpacked module with the original.

import { PayspecError } from "./error.js";

/** Between the streams, each of which has three parts. No byte has this code. */
export const SEPARATOR = "\u0100";

// The numbers of the streams. The locals that are read, set, and teed have one each.
export const SECTIONS = 0;
export const OPCODES = 1;
export const CODES = 2;
export const LOCALS = 3;
export const ACCESSES = 4;
export const BLOCKS = 7;
export const BRANCHES = 8;
export const TABLES = 9;
export const CALLS = 10;
export const TYPES = 11;
export const GLOBALS = 12;
export const OFFSETS = 13;
export const INTEGERS = 14;
export const OPERATIONS = 15;
export const LANES = 16;
export const VECTORS = 17;
export const ADDRESSES = 18;
export const WORDS = 19;
export const STORES = 20;
// One for each opcode that can follow a constant.
export const CONSTANTS = 21;

/** Numbers from here on take two characters. */
export const LONG = 112;
/** Begins an address of the data. */
export const ADDRESS = 126;
/** Begins a number of more than two characters. */
export const LONGEST = 127;
/** The first number that takes more than two characters. */
export const LARGE = LONG + (ADDRESS - LONG) * 128;

/** Runs a coder over the code section, after its number. */
export function walk({ sized, byte, opcode, number, signed, recent, constant, zero }) {
  const called = [];
  sized(() => {
    for (let functions = number(LOCALS); functions > 0; functions--) sized(body);
  });

  function body() {
    for (let groups = number(LOCALS); groups > 0; groups--) {
      number(LOCALS);
      byte(LOCALS);
    }
    const used = [];
    for (let depth = 1; depth > 0; ) {
      const code = opcode();
      if (code > 0x01 && code < 0x05) {
        depth++;
        signed(BLOCKS);
      } else if (code === 0x0b) depth--;
      else if (code === 0x0c || code === 0x0d) number(BRANCHES);
      else if (code === 0x0e) for (let labels = number(TABLES); labels >= 0; labels--) number(TABLES);
      else if (code === 0x10) recent(CALLS, called);
      else if (code === 0x11) {
        number(TYPES);
        number(TYPES);
      } else if (code > 0x1f && code < 0x23) recent(code - 0x20 + ACCESSES, used);
      else if (code === 0x23 || code === 0x24) number(GLOBALS);
      else if (code > 0x27 && code < 0x3f) {
        zero();
        number(code < 0x36 ? OFFSETS : STORES);
      } else if (code === 0x3f || code === 0x40) zero();
      else if (code === 0x41) constant();
      else if (code === 0x42) while (byte(INTEGERS) > 127);
      else if (code === 0xfc) {
        const operation = number(OPERATIONS);
        if (operation > 9) number(OPERATIONS);
        if (operation === 10) number(OPERATIONS);
      } else if (code === 0xfd) vector(number(OPERATIONS));
    }
  }

  function vector(operation) {
    if (operation < 12 || (operation > 83 && operation < 94)) {
      number(OPERATIONS);
      number(OFFSETS);
    }
    if (operation === 12 || operation === 13) for (let left = 16; left > 0; left--) byte(VECTORS);
    if ((operation > 20 && operation < 35) || (operation > 83 && operation < 92)) byte(LANES);
  }
}

/** Moves the entry at a position of a list to the front, and returns it. The list grows by the next numbers. */
export function toFront(order, position) {
  while (order.length <= position) order.push(order.length);
  order.unshift(...order.splice(position, 1));
  return order[0];
}

/** Returns a number that depends on each character of a text. */
export function checksum(text) {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return sum;
}

/** Returns the bytes of a module from the text of its streams, and the checksum of that text. */
export function unpack(text, sum) {
  // Such as a script without a charset, or in a document of HTML, which replaces some characters.
  if (checksum(text) !== sum) throw new PayspecError("value", "/module", "expected a script that is complete and decoded as UTF-8");
  const parts = text.split(SEPARATOR).map((part) => {
    // A loop takes a tenth of the time of `Uint8Array.from`.
    const bytes = new Uint8Array(part.length);
    for (let at = 0; at < bytes.length; at++) bytes[at] = part.charCodeAt(at);
    return bytes;
  });
  const positions = new Uint32Array(parts.length);
  const next = (part) => parts[part][positions[part]++];
  const out = new Uint8Array(2 * text.length);
  let end = 0;

  function read(stream) {
    const part = 3 * stream;
    const first = next(part);
    if (first < LONG) return first;
    if (first < ADDRESS) return LONG + (first - LONG) * 128 + next(part + 1);
    if (first < LONGEST) return 2 * address(ADDRESSES);
    for (let value = LARGE, unit = 1; ; unit *= 64) {
      const digit = next(part + 2);
      value += (digit & 63) * unit;
      if (digit < 64) return value;
    }
  }

  function address(stream) {
    const part = 3 * stream;
    return base + next(part) * 16384 + next(part + 1) * 128 + next(part + 2);
  }

  const byte = (value) => (out[end++] = value);

  function number(value) {
    for (let left = value; ; left >>>= 7) {
      if (left < 128) {
        byte(left);
        return value;
      }
      byte((left & 127) | 128);
    }
  }

  function signed(stream) {
    const coded = read(stream);
    let value = (coded >>> 1) ^ -(coded & 1);
    for (; value < -64 || value > 63; value >>= 7) byte((value & 127) | 128);
    byte(value & 127);
  }

  function copy(bytes) {
    out.set(bytes, end);
    end += bytes.length;
  }

  const base = read(LOCALS);
  copy(parts[3 * SECTIONS]);
  walk({
    sized(content) {
      const start = end;
      content();
      const bytes = out.slice(start, end);
      end = start;
      number(bytes.length);
      copy(bytes);
    },
    byte: (stream) => byte(next(3 * stream)),
    opcode: () => byte(parts[3 * OPCODES][next(3 * CODES)]),
    number: (stream) => number(read(stream)),
    signed,
    // The position in the list of the locals or functions, from the one that was used last.
    recent: (stream, order) => number(toFront(order, read(stream))),
    constant: () => signed(CONSTANTS + parts[3 * CODES][positions[3 * CODES]]),
    zero: () => byte(0),
  });
  // The data, whose addresses are apart. Many a slice begins at the end of the one before, whose length follows its address.
  const view = new DataView(out.buffer);
  let word;
  let after;
  for (let words = read(OFFSETS); words > 0; words--) {
    const distance = read(OFFSETS);
    for (let bytes = distance >> 1; bytes > 0; bytes--) byte(next(3 * SECTIONS + 1));
    word = distance & 1 ? word + view.getUint32(after, true) : address(WORDS);
    view.setUint32(end, word, true);
    after = end += 4;
  }
  copy(parts[3 * SECTIONS + 1].subarray(positions[3 * SECTIONS + 1]));
  return out.subarray(0, end);
}
