import type { PageContext } from 'vike/types';
import { helpPageAt } from '#words/help-paths.ts';

/** One route for all help pages. */
export function route({ urlPathname }: PageContext) {
  const page = helpPageAt(urlPathname);
  return page ? { routeParams: { page } } : false;
}
