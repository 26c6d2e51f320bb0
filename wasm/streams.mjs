// The reverse of `js/streams.js`: stores the code of a module in streams.

import assert from "node:assert/strict";
import { ADDRESS, ADDRESSES, checksum, CODES, CONSTANTS, LARGE, LOCALS, LONG, LONGEST, OFFSETS, OPCODES, SECTIONS, SEPARATOR, toFront, unpack, walk, WORDS } from "./js/streams.js";

const CODE = 10;
const DATA = 11;

/** Returns the streams of a module as text, one character for each byte. */
export function pack(module) {
  const parts = [];
  const put = (part, byte) => (parts[part] ??= []).push(byte);
  let at = 8;

  function take(isSigned = false) {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = module[at++];
      value += (byte & 127) * unit;
      if (byte < 128) return isSigned && byte & 64 ? value - unit * 128 : value;
    }
  }

  const sections = new Map();
  while (at < module.length) {
    const start = at;
    const id = module[at++];
    const size = take();
    sections.set(id, { start, content: at });
    at += size;
  }

  // Each segment has a flag, its address as a constant, the end of the expression, and a length.
  const segments = [];
  at = sections.get(DATA).content;
  for (let left = take(); left > 0; left--) {
    assert.deepEqual([module[at], module[at + 1]], [0, 0x41], "data at a constant address");
    at += 2;
    const address = take(true);
    at++;
    const length = take();
    segments.push({ address, start: at, end: at + length });
    at += length;
  }
  const base = segments[0].address;
  const isAddress = (value) => value >= base && value < base + 2 ** 21;

  function write(stream, value) {
    const part = 3 * stream;
    if (value < LONG) return put(part, value);
    if (value < LARGE) {
      put(part, LONG + Math.floor((value - LONG) / 128));
      return put(part + 1, (value - LONG) % 128);
    }
    put(part, LONGEST);
    let left = value - LARGE;
    for (; left > 63; left = Math.floor(left / 64)) put(part + 2, (left % 64) + 64);
    put(part + 2, left);
  }

  function writeAddress(stream, value) {
    put(3 * stream, (value - base) >> 14);
    put(3 * stream + 1, ((value - base) >> 7) & 127);
    put(3 * stream + 2, (value - base) & 127);
  }

  const zigzag = (value) => (value < 0 ? -2 * value - 1 : 2 * value);
  const { start } = sections.get(CODE);
  const opcodes = [];

  /** Returns the code of an opcode: its position among those that were used before. */
  function codeOf(opcode) {
    if (!opcodes.includes(opcode)) opcodes.push(opcode);
    return opcodes.indexOf(opcode);
  }

  write(LOCALS, base);
  at = start + 1;
  walk({
    sized(body) {
      const end = take() + at;
      body();
      assert.equal(at, end, "a function that the grammar contains");
    },
    byte(stream) {
      put(3 * stream, module[at]);
      return module[at++];
    },
    opcode() {
      put(3 * CODES, codeOf(module[at]));
      return module[at++];
    },
    number(stream) {
      const value = take();
      write(stream, value);
      return value;
    },
    signed: (stream) => write(stream, zigzag(take(true))),
    recent(stream, order) {
      const value = take();
      // The list has all numbers below its length.
      const position = value < order.length ? order.indexOf(value) : value;
      toFront(order, position);
      write(stream, position);
    },
    constant() {
      const value = take(true);
      const stream = CONSTANTS + codeOf(module[at]);
      if (!isAddress(value)) return write(stream, zigzag(value));
      put(3 * stream, ADDRESS);
      writeAddress(ADDRESSES, value);
    },
    zero: () => assert.equal(module[at++], 0, "an alignment or an index of zero"),
  });
  parts[3 * OPCODES] = opcodes;
  parts[3 * SECTIONS] = [...module.subarray(0, start + 1)];
  const words = segments.flatMap(({ address, start, end }) => {
    const offsets = Array.from({ length: (end - start) >> 2 }, (_, index) => start + (-address & 3) + 4 * index);
    return offsets.filter((offset) => offset + 4 <= end && isAddress(module.readUInt32LE(offset)));
  });
  write(OFFSETS, words.length);
  const rest = [];
  let next;
  for (const word of words) {
    const value = module.readUInt32LE(word);
    const isNext = word >= at + 4 && value === next;
    write(OFFSETS, 2 * (word - at) + (isNext ? 1 : 0));
    rest.push(...module.subarray(at, word));
    if (!isNext) writeAddress(WORDS, value);
    at = word + 4;
    next = at + 4 <= module.length ? value + module.readUInt32LE(at) : undefined;
  }
  parts[3 * SECTIONS + 1] = [...rest, ...module.subarray(at)];
  const text = Array.from(parts, (part) => (part ?? []).map((byte) => String.fromCharCode(byte)).join("")).join(SEPARATOR);
  assert.ok(module.equals(unpack(text, checksum(text))), "the unpacked module is the original");
  return text;
}
