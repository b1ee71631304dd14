// Loads the translations of another language; a page without a server contains them.

/** English → translation; empty if they can't be loaded. */
export async function translations(language) {
  try {
    return await (await fetch(`/static/words-${language}.json`)).json();
  } catch {
    return {};
  }
}
