/* The data from which Python starts in the rules editor: archives of files, and its memory, which is stored in this browser
   after the first visit. The service worker deletes that memory as soon as the site has changed. */

const BLOCK = 512; // bytes
const STORE = "zrf-python";
const ADDRESS = new URL(`memory-${VERSION}`, import.meta.url).href; // VERSION: of Python and zrf_py
const storage = self.caches; // undefined in pages that are not served securely

const through = (stream, change) => new Response(stream.pipeThrough(change));
const inflated = async (answer) => new Uint8Array(await through(answer.body, new DecompressionStream("gzip")).arrayBuffer());

/** Write the files of a compressed tar archive below a folder. */
export async function unpack(FS, answer, folder) {
  const bytes = await inflated(answer);
  const field = (from, length) => new TextDecoder().decode(bytes.subarray(from, from + length)).replace(/\0.*/s, "");
  for (let at = 0, size; bytes[at]; at += BLOCK * (1 + Math.ceil(size / BLOCK))) {
    size = parseInt(field(at + 124, 12), 8);
    const path = `${folder}/${field(at, 100)}`;
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    FS.writeFile(path, bytes.subarray(at + BLOCK, at + BLOCK + size), { canOwn: true });
  }
}

/** The memory that `save` has stored, and its size in bytes; null if there is none. */
export async function load() {
  try {
    const answer = await storage.match(ADDRESS);
    return { size: Number(answer.headers.get("size")), memory: inflated(answer) };
  } catch { return null; }
}

export async function save(python) {
  const memory = python.makeMemorySnapshot();
  const packed = through(new Blob([memory]).stream(), new CompressionStream("gzip"));
  try {
    await (await storage.open(STORE)).put(ADDRESS, new Response(packed.body, { headers: { size: String(memory.length) } }));
  } catch { /* too little room in this browser */ }
}
