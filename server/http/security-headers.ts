/** Makes the security headers, once, from the facts about the built pages. */
import type { BuiltSite, InlineHashes } from '#contract/built-site.schema.ts';
import type { Hsts } from '../config.ts';

type Headers = Readonly<Record<string, string>>;

const REFERRER = 'same-origin';

const TWO_YEARS = 'max-age=63072000';
/** `includeSubDomains` and `preload` bind other names, and browsers keep them for years. Sent only if the operator asks. */
const STRICT_TRANSPORT: Record<Hsts, string | null> = {
  off: null,
  on: TWO_YEARS,
  subdomains: `${TWO_YEARS}; includeSubDomains`,
  preload: `${TWO_YEARS}; includeSubDomains; preload`,
};

/** On every answer. */
const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

/** Few headers, because each click pays for them, and a JSON answer is not a page and has no references. */
const API = { ...EVERYWHERE, 'cache-control': 'no-store' };

export interface SecurityHeaders {
  page: Headers;
  /** Replaces the page's policy on the landing pages: only their own hashes. */
  landing: Headers;
  /** For who comes by hand or from an app: there is no opener to be kept apart from. */
  pageWithoutCoop: Headers;
  file: Headers;
  api: Headers;
}

/**
 * @param tls adds Strict-Transport-Security as `hsts` sets it, and upgrade-insecure-requests, which would break a site over plain
 *   http
 */
export function makeSecurityHeaders(site: BuiltSite, tls: boolean, hsts: Hsts): SecurityHeaders {
  const strict = tls ? STRICT_TRANSPORT[hsts] : null;
  const transport: Headers = strict === null ? {} : { 'strict-transport-security': strict };
  const pageWithoutCoop = {
    ...EVERYWHERE,
    ...transport,
    'referrer-policy': REFERRER,
    'content-security-policy': contentSecurityPolicy(site, site.inlineHashes, tls),
    'x-frame-options': 'DENY',
    'origin-agent-cluster': '?1',
    'permissions-policy': PERMISSIONS_POLICY,
  };
  return {
    page: { ...pageWithoutCoop, 'cross-origin-opener-policy': 'same-origin' },
    pageWithoutCoop,
    landing: { 'content-security-policy': contentSecurityPolicy(site, site.landingHashes, tls) },
    file: { ...EVERYWHERE, ...transport, 'referrer-policy': REFERRER },
    api: { ...API, ...transport },
  };
}

function contentSecurityPolicy(site: BuiltSite, inline: InlineHashes, tls: boolean): string {
  const sources = (...list: (string | null)[]) => list.filter(Boolean).join(' ');
  const directives = [
    "default-src 'none'",
    `script-src ${sources("'self'", ...quoted(inline.script))}`,
    "script-src-attr 'none'",
    `style-src ${sources("'self'", ...quoted(inline.style))}`,
    "style-src-attr 'none'",
    "img-src 'self'",
    "font-src 'self'",
    `connect-src ${sources("'self'", site.apiOrigin, site.ipLookupOrigin)}`,
    "media-src 'self'",
    "manifest-src 'self'",
    "worker-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    `form-action ${sources("'self'", site.apiOrigin)}`,
    "frame-ancestors 'none'",
  ];
  if (tls) directives.push('upgrade-insecure-requests');
  return directives.join('; ');
}

const quoted = (hashes: string[]) => hashes.map((hash) => `'${hash.replaceAll("'", '')}'`);

/** Features of the footer's buttons and of the film's controls. */
const OWN = ['clipboard-write', 'fullscreen', 'picture-in-picture'];
/** Without features that Chromium 156 does not know, because it would log an error for each. */
const NEVER = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'geolocation',
  'gyroscope',
  'hid',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

const PERMISSIONS_POLICY = [
  ...OWN.map((feature) => `${feature}=(self)`),
  ...NEVER.map((feature) => `${feature}=()`),
]
  .sort()
  .join(', ');
