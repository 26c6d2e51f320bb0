// The kind of a value of any realm, such as another frame, even if an object or a subclass pretends to be another.

/** Returns the name of the kind of an object. */
export const kind = (value) => Object.prototype.toString.call(value).slice(8, -1);

/** Returns a function that calls a getter of typed arrays, even if a subclass or an object overrides it. */
export const getter = (name) => Function.prototype.call.bind(Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name).get);

/** Returns the class of a typed array, and undefined for other values. */
const classOf = getter(Symbol.toStringTag);

/** Returns true for text and bytes. */
export const isText = (value) => typeof value === "string" || (ArrayBuffer.isView(value) && classOf(value) === "Uint8Array");
