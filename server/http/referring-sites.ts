/** Sorts the site before this page into a class, so that neither the table nor PostHog needs its name. */
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { REFERRER_HOST } from '#contract/visit.ts';

/** Kinds of sites from which a visitor comes. `direct`: no referrer, or a page of this site. */
export const REFERRING_CLASSES = ['search', 'social', 'partner', 'direct', 'other'] as const;
type ReferringClass = (typeof REFERRING_CLASSES)[number];

/** Search engines, and services that answer from the web. Of Google only the search itself, not its mail or documents. */
const SEARCH =
  /^(www\.)?google\.[a-z]{2,3}(\.[a-z]{2})?$|^com\.google\.android\.googlequicksearchbox$|(^|\.)(bing\.com|duckduckgo\.com|search\.yahoo\.com|ecosia\.org|startpage\.com|search\.brave\.com|qwant\.com|kagi\.com|baidu\.com|yandex\.[a-z]{2,3}|perplexity\.ai|chatgpt\.com)$/;

const SOCIAL =
  /(^|\.)(facebook\.com|fb\.com|instagram\.com|threads\.(net|com)|twitter\.com|x\.com|t\.co|linkedin\.com|lnkd\.in|reddit\.com|youtube\.com|youtu\.be|tiktok\.com|pinterest\.[a-z]{2,3}|bsky\.app|mastodon\.social|tumblr\.com|quora\.com|nextdoor\.com|discord\.com|whatsapp\.com|wa\.me|t\.me)$|^com\.(facebook|instagram|twitter|linkedin|reddit|pinterest)\./;

/**
 * Reduces the host of `document.referrer` as `referrerDetail` says. It may have a port; empty: there is no referrer. Compares it
 * with the page's own address, because a reload and a link on this site are no source.
 */
export function keptReferrer(
  host: unknown,
  pageUrl: string,
  { referrerDetail, partnerHosts }: BuiltSite,
): string | undefined {
  if (referrerDetail === 'none' || typeof host !== 'string' || !REFERRER_HOST.test(host)) return;
  if (host === '' || pageUrl.split('/', 3)[2] === host) return 'direct' satisfies ReferringClass;
  const name = host.toLowerCase().replace(/:\d+$/, '');
  return referrerDetail === 'domain' ? name : classOf(name, partnerHosts);
}

/** Subdomains of the partner's hosts count too. */
function classOf(name: string, partners: readonly string[]): ReferringClass {
  if (partners.some((host) => name === host || name.endsWith(`.${host}`))) return 'partner';
  if (SEARCH.test(name)) return 'search';
  return SOCIAL.test(name) ? 'social' : 'other';
}
