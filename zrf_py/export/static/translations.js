// The words of other languages, which are in the page.
export const translations = async (language) => globalThis.zrfAlone.words[language] ?? {};
