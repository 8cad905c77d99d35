/**
 * Recognises pages of this site. A copy of the site on another host must not count in any figure.
 */
import type { FastifyRequest } from 'fastify';
import type { BuiltSite } from '#contract/built-site.schema.ts';

/**
 * Whether a page's host is the one of `siteUrl`, or the one of the request, because a site may have
 * several names. Ports are not compared, because a proxy may omit its own.
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
