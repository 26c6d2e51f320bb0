// The module inside the file: a string with a character for each byte, which build.mjs inserts. Servers compress it well.

/** Returns the compiled module. */
export function compileModule() {
  const text = PAYSPEC_MODULE;
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return new WebAssembly.Module(bytes);
}
