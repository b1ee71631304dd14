const own = (name) => name.startsWith("zrf-");
self.addEventListener("install", (event) => event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FIRST)).then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(caches.keys()
  .then((names) => Promise.all(names.filter((name) => own(name) && name !== VERSION).map((name) => caches.delete(name)))).then(() => self.clients.claim())));
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(caches.open(VERSION).then(async (cache) => {
    const cached = await cache.match(event.request, { ignoreSearch: true });
    if (cached) return cached;
    const response = await fetch(event.request);
    if (response.ok) await cache.put(event.request, response.clone());
    return response;
  }));
});
// The rules editor asks to store all of its files once it is loaded.
self.addEventListener("message", (event) => event.waitUntil(caches.open(VERSION).then((cache) => Promise.all(event.data.keep.map(
  async (file) => { if (file.startsWith(location.origin) && !await cache.match(file)) await cache.add(file); })))));
