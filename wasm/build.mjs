// Creates wasm/pkg from the modules and the glue of wasm-bindgen: `cargo xtask npm` calls it with their folder. A second
// folder replaces wasm/pkg.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { inflateRawSync } from "node:zlib";
import zopfli from "@gfx/zopfli";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const modules = resolve(process.argv[2]);
const pkg = resolve(process.argv[3] ?? join(here, "pkg"));
const { devDependencies, scripts, ...manifest } = JSON.parse(await readFile(join(here, "package.json"), "utf8"));

/** CommonJS has no import.meta.url. */
const ADDRESS = 'const address = require("node:url").pathToFileURL(__filename);';

await rm(pkg, { recursive: true, force: true });
await mkdir(pkg);

// Both at the same time: Binaryen runs as a process for each.
const [all, checkout] = await Promise.all(["all", "checkout"].map(async (name) => {
  await optimize(join(modules, name, "payspec_bg.wasm"), join(modules, name, "payspec.wasm"));
  return deflate(name);
}));
const deflated = { all, checkout };
const glue = await createGlue(join(modules, "all", "payspec.js"));
await cp(join(modules, "all", "payspec.wasm"), join(pkg, "payspec.wasm"));

await bundle("index", "all", { esm: "index.js", cjs: "index.cjs" });
await bundle("checkout", "checkout", { esm: "checkout.js", cjs: "checkout.cjs" });
await bundle("slim", "all", { esm: "slim.js" });
await bundle("slim.node", "all", { esm: "slim.node.js", cjs: "slim.node.cjs" }, "node");
await types();
await cp(join(here, "README.md"), join(pkg, "README.md"));
for (const licence of ["LICENSE-APACHE", "LICENSE-MIT"]) await cp(join(here, "..", licence), join(pkg, licence));
// It is part of the files that contain a module.
await cp(join(here, "node_modules/fflate/LICENSE"), join(pkg, "LICENSE-fflate"));
await writeFile(join(pkg, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);

/** Runs Binaryen. After compression, -O3 is smaller than -Oz, and it is faster; --converge saves 165 bytes. A module with names is stored next to it, for sizes.mjs. */
async function optimize(from, to) {
  const features = ["--enable-simd", "--enable-bulk-memory", "--enable-sign-ext", "--enable-mutable-globals", "--enable-nontrapping-float-to-int", "--enable-reference-types", "--enable-multivalue"];
  const binaryen = (...flags) => promisify(execFile)(process.execPath, [join(here, "node_modules/binaryen/bin/wasm-opt"), ...features, ...flags]);
  const named = to.replace(/\.wasm$/, ".named.wasm");
  await binaryen(from, "-O3", "--converge", "--debuginfo", "--output", named);
  await binaryen(named, "--strip-debug", "--strip-producers", "--strip-target-features", "--output", to);
}

/** Returns a deflated module in the form of the files. Zopfli takes seconds, and its result is smaller than that of zlib; unlimited blocks save 190 bytes. */
async function deflate(module) {
  const bytes = await readFile(join(modules, module, "payspec.wasm"));
  const deflated = await zopfli.deflateAsync(bytes, { numiterations: 15, blocksplittingmax: 0 });
  assert.ok(inflateRawSync(deflated).equals(bytes), `${module}: inflating returns the module`);
  return deflated;
}

/** Bundles an entry of wasm/js into files of the package. */
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
      charset: "ascii",
      legalComments: "none",
      define: {
        PAYSPEC_VERSION: JSON.stringify(manifest.version),
        ...(format === "cjs" ? { "import.meta.url": "address" } : {}),
      },
      banner: format === "cjs" && platform === "node" ? { js: ADDRESS } : {},
      plugins: [{ name: "modules", setup: (plugins) => modulesOf(plugins, module) }],
    });
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

/** Resolves `#module`, the deflated module of an entry, and `#instance`, which starts it. */
function modulesOf(plugins, module) {
  plugins.onResolve({ filter: /^#instance$/ }, () => ({ path: join(here, "js", module === "all" ? "instance.js" : "plain_instance.js") }));
  plugins.onResolve({ filter: /^#glue$/ }, () => ({ path: "glue", namespace: "glue" }));
  plugins.onLoad({ filter: /./, namespace: "glue" }, () => ({ contents: glue }));
  // "sideEffects" of package.json is about the output. These files set the loader when they are imported.
  plugins.onResolve({ filter: /^\.\/(inline|separate)\.js$/ }, ({ path }) => ({ path: join(here, "js", path), sideEffects: true }));
  plugins.onResolve({ filter: /^#module$/ }, () => ({ path: module, namespace: "deflated" }));
  plugins.onLoad({ filter: /./, namespace: "deflated" }, ({ path }) => ({ contents: deflated[path], loader: "base64" }));
}

/** Writes the types for both kinds of modules. The texts differ only in the names of imported files. */
async function types() {
  const folder = join(here, "types");
  for (const file of await readdir(folder)) {
    if (!file.endsWith(".d.ts")) continue;
    const text = await readFile(join(folder, file), "utf8");
    await writeFile(join(pkg, file), text);
    await writeFile(join(pkg, file.replace(/\.d\.ts$/, ".d.cts")), text.replace(/(from "\.\/[\w.-]+)\.js"/g, '$1.cjs"'));
  }
}
