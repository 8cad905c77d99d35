/** Whether a page is one of this site's. A copy of the site on another host is in no figure. */
import type { FastifyRequest } from 'fastify';
import type { BuiltSite } from '#contract/built-site.schema.ts';

/**
 * Whether the page's host is the one of `siteUrl`, or the one to which the browser sent the
 * request: a site may have several names. Ports do not matter, because a proxy may omit its own.
 */
export function isOwnPage(
  pageUrl: string,
  { host }: Pick<FastifyRequest, 'host'>,
  { siteUrl }: Pick<BuiltSite, 'siteUrl'>,
): boolean {
  const name = URL.parse(pageUrl)?.hostname;
  if (!name) return false;
  return [siteUrl, `http://${host}`].some((own) => URL.parse(own)?.hostname === name);
}
