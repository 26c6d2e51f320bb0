// Creates wasm/pkg from the modules and the glue of wasm-bindgen: `cargo xtask npm` calls it with their folder. A second
// folder replaces wasm/pkg.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { minify } from "terser";

const here = fileURLToPath(new URL(".", import.meta.url));
const modules = resolve(process.argv[2]);
const pkg = resolve(process.argv[3] ?? join(here, "pkg"));
const { devDependencies, scripts, ...manifest } = JSON.parse(await readFile(join(here, "package.json"), "utf8"));

/** The variable in js/module.js that the literal of a module replaces. */
const LITERAL = "PAYSPEC_MODULE";

/** The glue of each module. */
const GLUE = { all: join(modules, "all", "payspec.js"), checkout: join(here, "js", "page_glue.js") };

/** CommonJS has no import.meta.url. */
const ADDRESS = 'const address = require("node:url").pathToFileURL(__filename);';

await rm(pkg, { recursive: true, force: true });
await mkdir(pkg);

// Both at the same time: Binaryen runs as a process for each.
await Promise.all([optimize("all", "-O3"), optimize("checkout", "-Oz")]);
await cp(join(modules, "all", "payspec.wasm"), join(pkg, "payspec.wasm"));

await bundle("index", "all", { esm: "index.js", cjs: "index.cjs" });
await bundle("checkout", "checkout", { esm: "checkout.js", cjs: "checkout.cjs" });
for (const entry of ["card", "messages/en", "messages/ru"]) await bundle(entry, undefined, { esm: `${entry}.js`, cjs: `${entry}.cjs` });
await bundle("slim", undefined, { esm: "slim.js" });
await bundle("slim.required", undefined, { cjs: "slim.cjs" });
await bundle("workerd", undefined, { esm: "workerd.js" });
await bundle("slim.node", undefined, { esm: "slim.node.js", cjs: "slim.node.cjs" }, "node");
await bundle("sandbox", undefined, { esm: "sandbox.js", cjs: "sandbox.cjs" });
await bundle("sandbox.node", undefined, { esm: "sandbox.node.js", cjs: "sandbox.node.cjs" }, "node");
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
 * Runs Binaryen. The lowest addresses are the end of the stack, so nothing is stored there: --low-memory-unused saves 700
 * bytes. --dealign drops hints that no engine uses: 450 bytes. A module with names is stored next to the result, for sizes.mjs.
 */
async function optimize(name, level) {
  const features = ["--enable-simd", "--enable-bulk-memory", "--enable-sign-ext", "--enable-mutable-globals", "--enable-nontrapping-float-to-int", "--enable-reference-types", "--enable-multivalue"];
  const wasmOpt = (...flags) => promisify(execFile)(process.execPath, [join(here, "node_modules/binaryen/bin/wasm-opt"), ...features, ...flags]);
  const [from, named, to] = ["payspec_bg", "payspec.named", "payspec"].map((file) => join(modules, name, `${file}.wasm`));
  await wasmOpt(from, level, "--converge", "--dealign", "--low-memory-unused", "--debuginfo", "--output", named);
  await wasmOpt(named, "--strip-debug", "--strip-producers", "--strip-target-features", "--output", to);
}

/** Returns a string literal with a character for each byte. Not by esbuild, which would escape control characters. */
function literal(bytes) {
  const escapes = { "\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\" };
  return `"${bytes.toString("latin1").replace(/[\n\r"\\]/g, (character) => escapes[character])}"`;
}

/** Bundles an entry of wasm/js, and its module if it has one, into files of the package. */
async function bundle(entry, module, files, platform = "neutral") {
  const bytes = module && (await readFile(join(modules, module, "payspec.wasm")));
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
      // The glue of wasm-bindgen or of the module for pages, and the class of errors that the former imports.
      alias: { "#glue": GLUE[module ?? "all"], "#error": join(here, "js", "error.js") },
      external: ["./payspec.wasm"],
      // The glue of wasm-bindgen uses these globals as soon as it is evaluated.
      inject: [join(here, "js/platform.js")],
      define: {
        TextDecoder: "PLATFORM.TextDecoder",
        TextEncoder: "PLATFORM.TextEncoder",
        PAYSPEC_VERSION: JSON.stringify(manifest.version),
        PAYSPEC_LENGTH: String(bytes?.length),
        ...(format === "cjs" ? { "import.meta.url": "address" } : {}),
      },
      banner: format === "cjs" && platform === "node" ? { js: ADDRESS } : {},
    });
    const bundled = await readFile(join(pkg, file), "utf8");
    // Terser makes the entries smaller after compression than esbuild alone. Not for CommonJS, which is read from a disk:
    // tools find no exports in the result. `unsafe_arrows` would be wrong for functions that are called with `new`: only
    // classes are.
    const options = { module: true, ecma: 2022, compress: { passes: 3, unsafe_arrows: true } };
    const { code } = format === "esm" ? await minify(bundled, options) : { code: bundled };
    assert.equal(code.split(LITERAL).length - 1, module ? 1 : 0, `${file} contains its module once`);
    await writeFile(join(pkg, file), module ? code.replace(LITERAL, () => literal(bytes)) : code);
  }
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
