import { modifyUrl } from 'vike/modifyUrl';
import type { PageContext } from 'vike/types';
import { splitPath } from '#contract/language.ts';

/** One route serves a page in every language. */
export function onBeforeRoute({ urlParsed }: PageContext) {
  const { language, path } = splitPath(urlParsed.pathname);
  const urlLogical = modifyUrl(urlParsed.href, { pathname: path });
  return { pageContext: { language, urlLogical } };
}
