import type { PageContext } from 'vike/types';
import { helpPageAt } from '#words/help-paths.ts';

/** Matches the address of every help page, and passes the page's name as `routeParams.page`. */
export function route({ urlPathname }: PageContext) {
  const page = helpPageAt(urlPathname);
  return page ? { routeParams: { page } } : false;
}
