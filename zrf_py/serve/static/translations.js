// Loads the translations of another language; a page without a server contains them.

/** English → translation; empty if they can't be loaded. */
export async function translations(language) {
  try {
    return await (await fetch(new URL(`./words-${language}.json`, import.meta.url))).json();
  } catch {
    return {};
  }
}
