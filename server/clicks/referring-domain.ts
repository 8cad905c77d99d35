/** Sorts the site before this page into a class, so that neither the table nor PostHog needs its name. */
import type { ReferrerDetail } from '#contract/privacy.schema.ts';
import { REFERRER_HOST, type ReferringClass } from '#contract/visit.ts';

/** Search engines, and services that answer from the web. Of Google only the search itself, not its mail or documents. */
const SEARCH =
  /^(www\.)?google\.[a-z]{2,3}(\.[a-z]{2})?$|^com\.google\.android\.googlequicksearchbox$|(^|\.)(bing\.com|duckduckgo\.com|search\.yahoo\.com|ecosia\.org|startpage\.com|search\.brave\.com|qwant\.com|kagi\.com|baidu\.com|yandex\.[a-z]{2,3}|perplexity\.ai|chatgpt\.com)$/;

const SOCIAL =
  /(^|\.)(facebook\.com|fb\.com|instagram\.com|threads\.(net|com)|twitter\.com|x\.com|t\.co|linkedin\.com|lnkd\.in|reddit\.com|youtube\.com|youtu\.be|tiktok\.com|pinterest\.[a-z]{2,3}|bsky\.app|mastodon\.social|tumblr\.com|quora\.com|nextdoor\.com|discord\.com|whatsapp\.com|wa\.me|t\.me)$|^com\.(facebook|instagram|twitter|linkedin|reddit|pinterest)\./;

export interface ReferrerSettings {
  /** `referrerDetail` of site.json. */
  referrerDetail: ReferrerDetail;
  /** Host names of the partner; their subdomains count too. */
  partnerHosts: readonly string[];
}

/**
 * Returns what is kept of the site before the page; undefined if that is nothing, or if the value is not a host.
 *
 * @param host of `document.referrer`, perhaps with a port; empty: there is none
 * @param pageUrl the page's own address, because a reload and a link on this site are no source
 */
export function keptReferrer(
  host: unknown,
  pageUrl: string,
  { referrerDetail, partnerHosts }: ReferrerSettings,
): string | undefined {
  if (referrerDetail === 'none' || typeof host !== 'string' || !REFERRER_HOST.test(host)) return;
  if (host === '' || pageUrl.split('/', 3)[2] === host) return DIRECT;
  const name = host.toLowerCase().replace(/:\d+$/, '');
  return referrerDetail === 'domain' ? name : classOf(name, partnerHosts);
}

const DIRECT: ReferringClass = 'direct';

function classOf(name: string, partners: readonly string[]): ReferringClass {
  const isPartner = partners.some((host) => name === host || name.endsWith(`.${host}`));
  if (isPartner) return 'partner';
  if (SEARCH.test(name)) return 'search';
  return SOCIAL.test(name) ? 'social' : 'other';
}
