import type { PrerenderContext } from 'vike/types';
import { LANGUAGES, pathIn } from '#contract/language.ts';

/** Prerenders every page in every language. */
export function onPrerenderStart({ pageContexts }: PrerenderContext) {
  const inEveryLanguage = pageContexts.flatMap((pageContext) =>
    LANGUAGES.map((language) => ({
      ...pageContext,
      language,
      urlOriginal: pathIn(language, pageContext.urlOriginal),
    })),
  );
  return { prerenderContext: { pageContexts: inEveryLanguage } };
}
