// Prepare Python for the rules editor of a site, in Node.js: precompile.mjs PYODIDE FOLDER RULES (see browser/precompile.py).
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [runtime, folder, rules] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`).href);
const python = await loadPyodide({ env: { HOME: "/home" } });
const archives = ["python_stdlib.zip", "zrf.data", "rest.data"];
for (const name of archives.slice(0, 2)) python.FS.writeFile(`/${name}`, readFileSync(`${folder}/${name}`));
python.unpackArchive(python.FS.readFile("/zrf.data"), "gztar", { extractDir: "/zrf" });
for (const name of ["precompile.py", "library.json"]) python.FS.writeFile(`/zrf/zrf_py/browser/${name}`, readFileSync(new URL(`../../browser/${name}`, import.meta.url)));
python.runPython(`
import sys, time
sys.path.insert(0, "/zrf")
time.thread_time = time.process_time  # there is one thread
from pathlib import Path
from zrf_py.browser.precompile import precompile
precompile(rules, *(Path("/", name) for name in archives))
`, { globals: python.toPy({ rules: readFileSync(rules, "utf-8"), archives }) });
for (const name of archives) writeFileSync(`${folder}/${name}`, python.FS.readFile(`/${name}`));
