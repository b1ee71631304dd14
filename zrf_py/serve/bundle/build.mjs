/* editor.js and the packages it needs -> ../static/desk-editor.js, and their licences beside it. Reproducible, since all
   versions are pinned.  npm install --no-package-lock --ignore-scripts && npm run build [-- FOLDER] */
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const out = process.argv[2] ?? join(import.meta.dirname, "..", "static");
mkdirSync(out, { recursive: true });
const about = JSON.parse(readFileSync("package.json", "utf8"));
const result = await build({
  entryPoints: ["editor.js"], bundle: true, minify: true, format: "esm", target: "es2022", metafile: true,
  outfile: join(out, "desk-editor.js"), legalComments: "none", charset: "ascii",
  banner: { js: "// @ts-nocheck CodeMirror and what it needs; licences in desk-editor.LICENSES.txt. Made by serve/bundle." },
});
const used = new Set(Object.keys(result.metafile.inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]));
used.delete(undefined);
const texts = [...used].sort().map((name) => `${name} ${about.dependencies[name]}\n\n${
  readFileSync(join("node_modules", name, "LICENSE"), "utf8").trim()}\n`);
writeFileSync(join(out, "desk-editor.LICENSES.txt"), texts.join("\n----------------------------------------\n\n"));
