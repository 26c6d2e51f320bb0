// Plain values for the module, without a text of the whole.
//
// A value is walked once, and recorded as a tape: a list of bytes for its structure, and all its texts, one after the other.
// The module writes the JSON text from both (wasm/src/object_tape.rs). Names of the interface are one byte each. This is
// faster than JSON.stringify: most time goes into the texts, which are encoded in one call.
//
// The tape is that of the text of JSON.stringify, unless that would lose a value silently. Each property is read once, so a
// getter or a proxy cannot return one value for a check and another for the tape. Getters, proxies, and toJSON may call the
// package again, so each walk has a tape of its own.

import { kind } from "./kinds.js";

/** The bytes of a tape: see wasm/src/object_tape.rs. Names of the interface have the numbers from KNOWN on. */
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY, NULL, FALSE, TRUE, NUMBER, TEXT, NAME] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const KNOWN = 32;
/** A length in one byte is less. */
const LONG = 255;
/** The most bytes of a member: a name and a value, each with a long length. */
const MEMBER = 16;
/** The size of a new tape, which is enough for most bodies. Tapes that have grown larger than LARGEST are not used again. */
const SIZE = 1024;
const LARGEST = 65536;

/** The names of the interface, in the order of the module, and the index of each. */
let names = [];
let indexes = new Map();

/** Sets the names that the module knows. */
export function setNames(known) {
  names = known;
  indexes = new Map(known.map((name, index) => [name, index]));
}

/** Tapes for further values. */
const spare = [];

export class ObjectTape {
  /** The structure: the first `length` bytes. */
  bytes = new Uint8Array(SIZE);
  length = 0;
  texts = "";
  /** The innermost object that is being recorded, the key of its current member, and the objects around it. */
  #frame;
  /** The index of the name that follows the last one in the interface, which is the next one in most bodies. */
  #next = 0;

  /** Returns a tape that is empty. */
  static empty() {
    return spare.pop() ?? new ObjectTape();
  }

  /** Empties the tape, and keeps it for another value. */
  release() {
    this.length = 0;
    this.texts = "";
    this.#frame = undefined;
    this.#next = 0;
    if (this.bytes.length <= LARGEST && spare.length < 4) spare.push(this);
  }

  /** Returns the keys that lead to the value at which `write` has thrown. */
  path() {
    const keys = [];
    for (let frame = this.#frame; frame; frame = frame.above) {
      if (frame.key !== undefined) keys.push(String(frame.key));
    }
    return keys.reverse();
  }

  /** Records a value. Throws at a value that JSON.stringify would omit or change. */
  write(value, mayConvert = true) {
    if (typeof value === "string") this.#text(TEXT, value);
    else if (value === null) this.#byte(NULL);
    else if (typeof value === "boolean") this.#byte(value ? TRUE : FALSE);
    else if (typeof value === "object") this.#object(value, mayConvert);
    else if (Number.isFinite(value)) this.#text(NUMBER, String(value));
    else reject(typeof value === "number" ? "a finite number, not NaN, as of an empty number field, or Infinity" : undefined);
  }

  #object(value, mayConvert) {
    for (let frame = this.#frame; frame; frame = frame.above) {
      // A cycle.
      if (frame.value === value) reject();
    }
    const { toJSON } = value;
    if (mayConvert && typeof toJSON === "function") return this.#converted(value, toJSON);
    if (Array.isArray(value)) return this.#array(value);
    const isPlain = Object.getPrototypeOf(value) === Object.prototype;
    const type = isPlain ? "Object" : kind(value);
    if (type === "String") return this.#text(TEXT, String.prototype.toString.call(value));
    const keys = Object.keys(value);
    // JSON.stringify writes {} for a Map, a FormData, and a Promise that was not awaited.
    if (ArrayBuffer.isView(value) || (keys.length === 0 && type !== "Object")) reject();
    // Most objects have Object.prototype, which is not data, and only enumerable members.
    if (!isPlain || Object.getOwnPropertyNames(value).length !== keys.length) this.#rejectHidden(value);
    this.#members(value, keys);
  }

  /** Records the result of toJSON. Like JSON.stringify, this does not call toJSON of the result. */
  #converted(value, toJSON) {
    if (kind(value) === "Date" && Number.isNaN(value.getTime())) reject();
    // A result that is undefined would be omitted, and is rejected by `write`.
    this.write(toJSON.call(value, String(this.#frame?.key ?? "")), false);
  }

  #members(value, keys) {
    const frame = this.#enter(value);
    this.#byte(OPEN_OBJECT);
    for (const key of keys) {
      frame.key = key;
      const member = value[key];
      if (member === undefined) continue;
      this.#name(key);
      this.write(member);
    }
    this.#byte(CLOSE_OBJECT);
    this.#frame = frame.above;
  }

  #array(value) {
    const { length } = value;
    // A hole would become null, and a named member would be omitted.
    if (Object.keys(value).length !== length) reject();
    const frame = this.#enter(value);
    this.#byte(OPEN_ARRAY);
    for (let index = 0; index < length; index++) {
      frame.key = index;
      // An element that is undefined is rejected.
      this.write(value[index]);
    }
    this.#byte(CLOSE_ARRAY);
    this.#frame = frame.above;
  }

  #enter(value) {
    return (this.#frame = { value, key: undefined, above: this.#frame });
  }

  /**
   * Rejects data that JSON.stringify would omit: inherited members, such as those of `Object.create(base)` and the getters of
   * a class, and own members that are not enumerable. Methods are not data. Names with `__` belong to frameworks.
   */
  #rejectHidden(value) {
    for (let object = value; object !== null; object = Object.getPrototypeOf(object)) {
      // Object.prototype, of any realm.
      if (object !== value && Object.getPrototypeOf(object) === null && Object.hasOwn(object, "hasOwnProperty")) return;
      for (const name of Object.getOwnPropertyNames(object)) {
        const member = Object.getOwnPropertyDescriptor(object, name);
        const isRecorded = object === value && member.enumerable;
        if (!isRecorded && typeof member.value !== "function" && !name.startsWith("__")) {
          this.#enter(value).key = name;
          reject("an own, enumerable property, not an accessor of a class or an inherited one");
        }
      }
    }
  }

  #name(name) {
    const index = name === names[this.#next] ? this.#next : indexes.get(name);
    if (index === undefined) {
      this.#text(NAME, name);
    } else {
      this.#next = index + 1;
      this.#byte(KNOWN + index);
    }
  }

  /** Records a text: its kind, its length in code units, and the text itself. */
  #text(byte, text) {
    this.#byte(byte);
    const { length } = text;
    if (length < LONG) {
      this.bytes[this.length++] = length;
    } else {
      this.bytes[this.length++] = LONG;
      for (let shift = 0; shift < 32; shift += 8) this.bytes[this.length++] = length >>> shift;
    }
    this.texts += text;
  }

  /** Records a byte. There is space for all bytes of a member. */
  #byte(byte) {
    if (this.length + MEMBER > this.bytes.length) {
      const { bytes } = this;
      this.bytes = new Uint8Array(2 * bytes.length);
      this.bytes.set(bytes);
    }
    this.bytes[this.length++] = byte;
  }

  /**
   * Returns the JSON text of the tape, and releases it: for a policy, a batch, and texts with half a surrogate pair, which
   * JSON.stringify escapes.
   */
  takeJson() {
    const { bytes, texts, length } = this;
    let json = "";
    let [at, start] = [0, 0];
    /** Returns the next text. */
    const text = () => {
      let count = bytes[at++];
      if (count === LONG) {
        count = new DataView(bytes.buffer).getUint32(at, true);
        at += 4;
      }
      return texts.slice(start, (start += count));
    };
    /** Appends a name or a value, after a comma unless it is the first one of its object or array. */
    const append = (part) => (json += (json === "" || "{[:".includes(json.at(-1)) ? "" : ",") + part);
    while (at < length) {
      const byte = bytes[at++];
      if (byte >= KNOWN) append(`${JSON.stringify(names[byte - KNOWN])}:`);
      else if (byte === NAME) append(`${JSON.stringify(text())}:`);
      else if (byte === TEXT) append(JSON.stringify(text()));
      else if (byte === NUMBER) append(text());
      else if (byte === OPEN_OBJECT) append("{");
      else if (byte === OPEN_ARRAY) append("[");
      else if (byte === CLOSE_OBJECT) json += "}";
      else if (byte === CLOSE_ARRAY) json += "]";
      else append(byte === NULL ? "null" : String(byte === TRUE));
    }
    this.release();
    return json;
  }
}

/** The reason why a value cannot be recorded. Its text contains no value. */
export class Unrepresentable extends TypeError {}

function reject(expected = "a value that JSON can represent") {
  throw new Unrepresentable(`expected ${expected}`);
}
