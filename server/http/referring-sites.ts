/**
 * Classifies the site from which a visitor came, as far as the setting `referrerDetail` allows it.
 */
import { getDomain, getPublicSuffix } from 'tldts';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { REFERRER_HOST } from '#contract/visit.ts';
import { IN_APP_BROWSERS, type KnownSite, SITES_OF_HOSTS, SITES_OF_NAMES } from './site-list.ts';

/**
 * Classes of referring sites. `own`: a page of this site. `direct`: no referrer, because the
 * visitor typed the address, used a bookmark, or came from an app that does not name itself.
 */
export const REFERRING_CLASSES = [
  'search',
  'assistant',
  'social',
  'mail',
  'partner',
  'own',
  'direct',
  'other',
] as const;
type ReferringClass = (typeof REFERRING_CLASSES)[number];

/**
 * The columns of `clicks` and `visits` about the referring site. Both are null if nothing is known
 * or may be kept.
 */
export interface Referrer {
  referring_class: ReferringClass | null;
  /** Name of a known site, or the registered domain. Null unless `referrerDetail` is `domain`. */
  referring_site: string | null;
}

interface SentReferrer {
  /** Host of `document.referrer`, perhaps with a port. An empty text: no referrer. */
  referring_domain?: unknown;
  page_url: string;
}

type Settings = Pick<BuiltSite, 'referrerDetail' | 'partnerHosts'>;

const UNKNOWN_REFERRER: Referrer = { referring_class: null, referring_site: null };
const OWN_REFERRER: Referrer = { referring_class: 'own', referring_site: null };
const DIRECT_REFERRER: Referrer = { referring_class: 'direct', referring_site: null };

/**
 * Finds the referring site: from the host that the page sent, or without a host from the user
 * agent, which names the app if it is an app's own browser.
 */
export function readReferrer(sent: SentReferrer, userAgent: string, site: Settings): Referrer {
  const host = sent.referring_domain;
  if (site.referrerDetail === 'none' || typeof host !== 'string' || !REFERRER_HOST.test(host))
    return UNKNOWN_REFERRER;
  const found =
    host === '' ? referrerOfUserAgent(userAgent) : referrerOfHost(host, sent.page_url, site);
  if (site.referrerDetail === 'domain' || found.referring_site === null) return found;
  return { ...found, referring_site: null };
}

/**
 * Returns PostHog's property `$referring_domain`: the domain under which PostHog knows the site. If
 * no site is kept, the class stands for it.
 */
export function posthogReferringDomain({
  referring_class,
  referring_site,
}: Referrer): string | null {
  // PostHog would otherwise count this site's own pages as a referring site.
  if (referring_class === 'direct' || referring_class === 'own') return '$direct';
  if (referring_site === null) return referring_class;
  return SITES_OF_NAMES.get(referring_site)?.domain ?? referring_site;
}

function referrerOfHost(host: string, pageUrl: string, { partnerHosts }: Settings): Referrer {
  if (pageUrl.split('/', 3)[2] === host) return OWN_REFERRER;
  const name = host.toLowerCase().replace(/\.?(:\d+)?$/, '');
  if (partnerHosts.some((partner) => name === partner || name.endsWith(`.${partner}`)))
    return { referring_class: 'partner', referring_site: registeredDomain(name) };
  return referrerOfForeignHost(name);
}

/**
 * Returns the name of a site as rows have it.
 *
 * @param text the name in any spelling, or a host of the site
 */
export function findSiteName(text: string): string {
  const host = text.toLowerCase();
  const known = [...SITES_OF_NAMES.keys()].find((name) => name.toLowerCase() === host);
  return known ?? referrerOfForeignHost(host).referring_site ?? text;
}

/** Upper bound for the cached results. Visitors come from few different hosts and browsers. */
const MAX_REMEMBERED = 2000;

/** Caches the results of a function. */
function memoize(answerOf: (text: string) => Referrer) {
  const cache = new Map<string, Referrer>();
  return (text: string): Referrer => {
    const found = cache.get(text);
    if (found) return found;
    if (cache.size >= MAX_REMEMBERED) cache.clear();
    const answer = answerOf(text);
    cache.set(text, answer);
    return answer;
  };
}

const referrerOfUserAgent = memoize((userAgent) => {
  const [, name = ''] = IN_APP_BROWSERS.find(([mark]) => userAgent.includes(mark)) ?? [];
  const site = SITES_OF_NAMES.get(name);
  return site ? { referring_class: site.referring_class, referring_site: name } : DIRECT_REFERRER;
});

const referrerOfForeignHost = memoize((host) => {
  // An Android app's referrer is its id, which mostly is its maker's host with the parts reversed.
  const site = findSite(host) ?? findSite(host.split('.').reverse().join('.'));
  if (site) return { referring_class: site.referring_class, referring_site: site.name };
  return {
    referring_class: MAIL_HOST.test(host) ? 'mail' : 'other',
    referring_site: registeredDomain(host),
  };
});

/** A host of web mail that a clinic or a university runs itself. */
const MAIL_HOST = /^(mail|webmail|owa)\./;
/** The beginning of an Android app's id. No host on the web begins so. */
const APP_ID = /^(com|org|net)\./;

/**
 * Returns the part of a host that somebody has registered: `clinic.co.uk`, `family.blogspot.com`.
 */
function registeredDomain(host: string): string {
  const domain = APP_ID.test(host) ? null : getDomain(host, { allowPrivateDomains: true });
  // The whole host, if its domain is a known site: `docs.google.com` is not the search engine.
  return domain === null || findSite(domain) ? host : domain;
}

/**
 * Finds a host in the list of sites: first the host itself, then its parent domains, the longest
 * first.
 */
function findSite(host: string): KnownSite | undefined {
  const ending = getPublicSuffix(host) ?? '';
  const lookUp = (name: string, below: string) =>
    SITES_OF_HOSTS.get(below + name) ??
    (COMMON_SUFFIX.test(ending) && name.endsWith(`.${ending}`)
      ? SITES_OF_HOSTS.get(`${below}${name.slice(0, -ending.length)}*`)
      : undefined);
  let found = lookUp(host, '') ?? lookUp(host.replace(/^(www|m)\./, ''), '');
  for (let name = host; !found && name !== ''; name = name.slice(name.indexOf('.') + 1 || Infinity))
    found = lookUp(name, '*.');
  return found;
}

/**
 * The public suffixes that a `*` at the end of a listed host stands for: `com`, `de`, `co.uk`,
 * `com.br`.
 */
const COMMON_SUFFIX = /^(com|cat|(\w{2,3}\.)?[a-z]{2})$/;
