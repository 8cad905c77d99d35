/** Names the site before a page, and its kind, as far as `referrerDetail` allows them. */
import { getDomain, getPublicSuffix } from 'tldts';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { REFERRER_HOST } from '#contract/visit.ts';
import { IN_APP_BROWSERS, type KnownSite, SITES_OF_HOSTS, SITES_OF_NAMES } from './site-list.ts';

/**
 * Kinds of sites from which a visitor comes. `own`: a page of this site. `direct`: no site, because
 * the address was typed, saved, or opened by an app that does not name itself.
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

/** The columns of clicks and visits. Both are null if nothing is known or may be kept. */
export interface Referrer {
  referring_class: ReferringClass | null;
  /** Name of a known site, or the domain that somebody has registered. Only if domains are kept. */
  referring_site: string | null;
}

interface SentReferrer {
  /** Host of `document.referrer`, perhaps with a port. Empty: there is no referrer. */
  referring_domain?: unknown;
  page_url: string;
}

type Settings = Pick<BuiltSite, 'referrerDetail' | 'partnerHosts'>;

const UNKNOWN_REFERRER: Referrer = { referring_class: null, referring_site: null };
const OWN_REFERRER: Referrer = { referring_class: 'own', referring_site: null };
const DIRECT_REFERRER: Referrer = { referring_class: 'direct', referring_site: null };

/**
 * Reads from which site a visitor came: from the host that the page sent, or, without one, from the
 * user agent of a browser inside an app.
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
 * PostHog's `$referring_domain`: a host that its channels know, or the class where no site is kept.
 */
export function posthogReferringDomain({
  referring_class,
  referring_site,
}: Referrer): string | null {
  // PostHog would count a page of this site as a site that refers.
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
 * Returns the name under which rows have a site.
 *
 * @param text that name in any spelling, or one of the site's hosts
 */
export function findSiteName(text: string): string {
  const host = text.toLowerCase();
  const known = [...SITES_OF_NAMES.keys()].find((name) => name.toLowerCase() === host);
  return known ?? referrerOfForeignHost(host).referring_site ?? text;
}

/** Upper bound of remembered answers. Visitors come from few different hosts and browsers. */
const MAX_REMEMBERED = 2000;

/** Makes a function that remembers its answers. */
function memoize(answerOf: (text: string) => Referrer) {
  const known = new Map<string, Referrer>();
  return (text: string): Referrer => {
    const found = known.get(text);
    if (found) return found;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const answer = answerOf(text);
    known.set(text, answer);
    return answer;
  };
}

const referrerOfUserAgent = memoize((userAgent) => {
  const [, name = ''] = IN_APP_BROWSERS.find(([mark]) => userAgent.includes(mark)) ?? [];
  const site = SITES_OF_NAMES.get(name);
  return site ? { referring_class: site.referring_class, referring_site: name } : DIRECT_REFERRER;
});

const referrerOfForeignHost = memoize((host) => {
  // An Android app names itself by its id, which is mostly its maker's host from behind.
  const site = findSite(host) ?? findSite(host.split('.').reverse().join('.'));
  if (site) return { referring_class: site.referring_class, referring_site: site.name };
  return {
    referring_class: MAIL_HOST.test(host) ? 'mail' : 'other',
    referring_site: registeredDomain(host),
  };
});

/** Web mail that a clinic or a university runs itself. */
const MAIL_HOST = /^(mail|webmail|owa)\./;
/** Beginning of an app's id. No host on the web begins so. */
const APP_ID = /^(com|org|net)\./;

/** The part of a host that somebody has registered: `clinic.co.uk`, `family.blogspot.com`. */
function registeredDomain(host: string): string {
  const domain = APP_ID.test(host) ? null : getDomain(host, { allowPrivateDomains: true });
  // `docs.google.com` must not have the domain by which a search engine is known.
  return domain === null || findSite(domain) ? host : domain;
}

/** Looks up the host itself, and then each host above it, the longest first. */
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

/** `com`, `de`, `co.uk`, `com.br`. */
const COMMON_SUFFIX = /^(com|cat|(\w{2,3}\.)?[a-z]{2})$/;
