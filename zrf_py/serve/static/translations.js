// Where the words of another language come from; a page without a server has them in it.

/** English → other, or nothing if it can't be had. */
export async function translations(language) {
  try {
    return await (await fetch(`/static/words-${language}.json`)).json();
  } catch {
    return {};
  }
}
