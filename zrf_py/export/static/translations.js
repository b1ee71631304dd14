// The translations, which are part of the page.
export const translations = async (language) => globalThis.zrfAlone.words[language] ?? {};
