// Creates wasm/pkg from the modules and the glue of wasm-bindgen: `cargo xtask npm` calls it with their folder. A second
// folder replaces wasm/pkg.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { deflateRawSync } from "node:zlib";
import binaryen from "binaryen";
import { build } from "esbuild";
import { minify } from "terser";
import { POLICY } from "./js/policy.js";
import { checksum } from "./js/streams.js";
import { pack } from "./streams.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const modules = resolve(process.argv[2]);
const pkg = resolve(process.argv[3] ?? join(here, "pkg"));
const { devDependencies, scripts, ...manifest } = JSON.parse(await readFile(join(here, "package.json"), "utf8"));

/** The variable of a module as a literal, in the code. */
const LITERAL = "PAYSPEC_MODULE";
/** The variable of the checksum of a literal. */
const CHECKSUM = "PAYSPEC_CHECKSUM";

/** CommonJS has no import.meta.url. */
const ADDRESS = 'const address = require("node:url").pathToFileURL(__filename);';

/**
 * The modules that are inside an entry: the code that compiles one, how often it names the literal, and the function that
 * inserts the literal into a bundle.
 */
const INLINE = {
  all: {
    compile: `import { unpack } from "./streams.js"; export const compileModule = () => new WebAssembly.Module(unpack(${LITERAL}, ${CHECKSUM}));`,
    uses: 1,
    insert: withStreams,
  },
  checkout: {
    compile: `export const compileModule = () => new WebAssembly.Module(Uint8Array.from(${LITERAL}, (character) => character.charCodeAt() ^ ${LITERAL}));`,
    uses: 2,
    insert: withBytes,
  },
};

await rm(pkg, { recursive: true, force: true });
await mkdir(pkg);

await removeExports(join(modules, "checkout", "payspec_bg.wasm"), join(modules, "checkout", "reduced.wasm"));
await removeClosures(join(modules, "all", "payspec_bg.wasm"), join(modules, "all", "reduced.wasm"));
// Both at the same time: Binaryen runs as a process for each.
await Promise.all(["all", "checkout"].map((name) => optimize(join(modules, name, "reduced.wasm"), join(modules, name, "payspec.wasm"), name)));
const bytesOf = {
  all: await readFile(join(modules, "all", "payspec.wasm")),
  checkout: await readFile(join(modules, "checkout", "payspec.wasm")),
};
const streams = pack(bytesOf.all);
const glue = await createGlue(join(modules, "all", "payspec.js"));
await cp(join(modules, "all", "payspec.wasm"), join(pkg, "payspec.wasm"));

await bundle("index", "all", { esm: "index.js", cjs: "index.cjs" });
await bundle("checkout", "checkout", { esm: "checkout.js", cjs: "checkout.cjs" });
for (const entry of ["card", "messages/en", "messages/ru"]) await bundle(entry, undefined, { esm: `${entry}.js`, cjs: `${entry}.cjs` });
await bundle("slim", undefined, { esm: "slim.js" });
await bundle("slim.node", undefined, { esm: "slim.node.js", cjs: "slim.node.cjs" }, "node");
await types();
await cp(join(here, "README.md"), join(pkg, "README.md"));
for (const licence of ["LICENSE-APACHE", "LICENSE-MIT"]) await cp(join(here, "..", licence), join(pkg, licence));
await writeFile(join(pkg, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
await writeIntegrity();

/** Writes the hashes of all files, in the form of the attribute `integrity` of HTML. */
async function writeIntegrity() {
  const hash = async (file) => `sha384-${createHash("sha384").update(await readFile(join(pkg, file))).digest("base64")}`;
  const entries = await readdir(pkg, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => relative(pkg, join(parentPath, name))).sort();
  const hashes = await Promise.all(files.map(async (file) => [file, await hash(file)]));
  await writeFile(join(pkg, "integrity.json"), `${JSON.stringify(Object.fromEntries(hashes), null, 2)}\n`);
}

/**
 * Removes the exports of the linker. The page writes to a fixed address after the stack and the data of the module, so it
 * needs none of them: 40 bytes less after compression.
 */
async function removeExports(from, to) {
  const bytes = await readFile(from);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { p: { v() {} } });
  assert.ok(exports.__heap_base.value <= POLICY, "the data of the module end before the policy");
  binaryen.setDebugInfo(true);
  const module = binaryen.readBinary(bytes);
  for (const name of ["__data_end", "__heap_base"]) module.removeExport(name);
  await writeFile(to, module.emitBinary());
  module.dispose();
}

/**
 * Empties the functions of wasm-bindgen and js-sys that call closures and tasks. The package passes none to JavaScript, but
 * the functions are in the table: 800 bytes after compression.
 */
async function removeClosures(from, to) {
  binaryen.setDebugInfo(true);
  const module = binaryen.readBinary(await readFile(from));
  const functions = Array.from({ length: module.getNumFunctions() }, (_, index) => module.getFunctionByIndex(index));
  const removed = functions.filter((each) => /\bconvert::closures::_::invoke|\bfutures::jspi::/.test(binaryen.Function.getName(each)));
  assert.ok(removed.length > 0, "the module contains functions of closures");
  for (const each of removed) binaryen.Function.setBody(each, module.unreachable());
  await writeFile(to, module.emitBinary());
  module.dispose();
}

/**
 * Runs Binaryen. After compression, -O3 is smaller than -Oz for the full module, and it is faster. --low-memory-unused saves
 * 1,000 bytes: the lowest addresses are the end of the stack. --dealign drops hints that no engine uses. A module with names
 * is stored next to it, for sizes.mjs.
 */
async function optimize(from, to, name) {
  const features = ["--enable-simd", "--enable-bulk-memory", "--enable-sign-ext", "--enable-mutable-globals", "--enable-nontrapping-float-to-int", "--enable-reference-types", "--enable-multivalue"];
  const wasmOpt = (...flags) => promisify(execFile)(process.execPath, [join(here, "node_modules/binaryen/bin/wasm-opt"), ...features, ...flags]);
  const named = to.replace(/\.wasm$/, ".named.wasm");
  const passes = name === "all" ? ["-O3", "--dealign"] : ["--flatten", "--rereloop", "-Oz", "-Oz", "--reorder-functions"];
  await wasmOpt(from, "--low-memory-unused", ...passes, "--converge", "--debuginfo", "--output", named);
  await wasmOpt(named, "--strip-debug", "--strip-producers", "--strip-target-features", "--output", to);
}

/**
 * Returns a bundle with the full module as streams in a string literal. After the code, it takes 600 bytes less than within:
 * text and module then have different blocks.
 */
function withStreams(code) {
  return `${code.replace(LITERAL, "$$m").replace(CHECKSUM, checksum(streams))}\nvar $m=${literal(streams)};\n`;
}

/**
 * Returns a bundle with the small module as a string literal of bytes, each exclusive or a key, with the smallest result
 * after compression. A page needs no inflate for it, and brotli compresses it better than base64 of deflate.
 */
function withBytes(code) {
  const files = Array.from({ length: 128 }, (_, key) => {
    const text = Array.from(bytesOf.checkout, (byte) => String.fromCharCode(byte ^ key)).join("");
    return code.replace(`^${LITERAL}`, `^${key}`).replace(LITERAL, "$$m") + `\nvar $m=${literal(text)};\n`;
  });
  const size = (file) => deflateRawSync(file, { level: 9 }).length;
  return files.map((file) => ({ file, size: size(file) })).sort((one, other) => one.size - other.size)[0].file;
}

/** Returns a string literal. Not by esbuild, which would escape control characters. */
function literal(text) {
  const escapes = { "\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\" };
  return `"${text.replace(/[\n\r"\\]/g, (character) => escapes[character])}"`;
}

/** Bundles an entry of wasm/js, and its module if it has one, into files of the package. */
async function bundle(entry, module, files, platform = "neutral") {
  for (const [format, file] of Object.entries(files)) {
    await build({
      entryPoints: [join(here, "js", `${entry}.entry.js`)],
      outfile: join(pkg, file),
      bundle: true,
      minify: true,
      format,
      platform,
      target: ["es2022", "chrome94", "firefox93", "safari15.4", "node20"],
      charset: "utf8",
      legalComments: "none",
      define: {
        PAYSPEC_VERSION: JSON.stringify(manifest.version),
        ...(format === "cjs" ? { "import.meta.url": "address" } : {}),
      },
      banner: format === "cjs" && platform === "node" ? { js: ADDRESS } : {},
      plugins: [{ name: "modules", setup: (plugins) => resolveModules(plugins, INLINE[module]) }],
    });
    const bundled = await readFile(join(pkg, file), "utf8");
    // Terser makes the entries smaller after compression than esbuild alone, `payspec/checkout` by 180 bytes. Not for
    // CommonJS, which is read from a disk: tools find no exports in the result. `unsafe_arrows` would be wrong for functions
    // that are called with `new`: only classes are.
    const options = { module: true, ecma: 2022, compress: { passes: 3, unsafe_arrows: true } };
    const { code } = format === "esm" ? await minify(bundled, options) : { code: bundled };
    const inline = INLINE[module];
    if (inline) assert.equal(code.split(LITERAL).length - 1, inline.uses, `${file} uses the module once`);
    await writeFile(join(pkg, file), inline ? inline.insert(code) : code);
  }
}

/**
 * Returns a function that contains the glue of wasm-bindgen, as JavaScript. The glue keeps its first instance, so each
 * instance needs separate glue.
 */
async function createGlue(generated) {
  const { outputFiles: [file] } = await build({
    // No exports, which a function cannot contain.
    stdin: { contents: `import { initSync, policy } from ${JSON.stringify(generated)}; glue = { initSync, policy };`, resolveDir: here },
    bundle: true,
    write: false,
    format: "esm",
    // The glue warns about arguments that are not used here.
    drop: ["console"],
  });
  return `export function createGlue() {\nlet glue;\n${file.text}\nreturn glue;\n}`;
}

/** Resolves `#module`, which returns the compiled module of an entry, and `#instance`, which starts the full one. */
function resolveModules(plugins, inline) {
  plugins.onResolve({ filter: /^#instance$/ }, () => ({ path: join(here, "js", "instance.js") }));
  plugins.onResolve({ filter: /^#glue$/ }, () => ({ path: "glue", namespace: "glue" }));
  plugins.onLoad({ filter: /./, namespace: "glue" }, () => ({ contents: glue }));
  // "sideEffects" of package.json is about the output. These files set the loader when they are imported.
  plugins.onResolve({ filter: /^\.\/(inline|separate)\.js$/ }, ({ path }) => ({ path: join(here, "js", path), sideEffects: true }));
  plugins.onResolve({ filter: /^#module$/ }, () => ({ path: "module", namespace: "literal" }));
  plugins.onLoad({ filter: /./, namespace: "literal" }, () => ({ contents: inline.compile, resolveDir: join(here, "js") }));
}

/** Writes the types for both kinds of modules. The texts differ only in the names of imported files. */
async function types() {
  const folder = join(here, "types");
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith(".d.ts")) continue;
    const text = await readFile(join(folder, file), "utf8");
    await mkdir(dirname(join(pkg, file)), { recursive: true });
    await writeFile(join(pkg, file), text);
    await writeFile(join(pkg, file.replace(/\.d\.ts$/, ".d.cts")), text.replace(/(from "\.[\w./-]+)\.js"/g, '$1.cjs"'));
  }
}
