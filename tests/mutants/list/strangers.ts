/** The promise: no stranger can stop the server, or act in a visitor's name. */
import type { Mutant } from '../try-mutants.ts';

const POSTHOG = 'tests/server/posthog/proxy/posthog-proxy.test.ts';
const EVENT_LOOP = 'tests/server/event-loop-time.test.ts';
const CONNECTIONS = 'tests/faults/connections.test.ts';
const TIERS = 'tests/server/http/rate-limit/tiers.test.ts';

export const STRANGERS: readonly Mutant[] = [
  {
    name: 'a POST route may do without an origin check',
    file: 'server/http/post-guards.ts',
    find: '.some((hook) => ORIGIN_CHECKS.includes(hook))',
    replace: '.some(() => true)',
    tests: ['tests/server/http/post-guards.test.ts'],
  },
  {
    name: 'another site’s page sends PostHog events in a visitor’s name',
    file: 'server/posthog/proxy/posthog-proxy.ts',
    find: 'refuseCrossSite, boundOpenBodies()]',
    replace: 'boundOpenBodies()]',
    tests: [POSTHOG],
  },
  {
    name: 'another site’s page sends clicks in a visitor’s name',
    file: 'server/clicks/log-cta.ts',
    find: 'setApiHeaders, refuseCrossSite]',
    replace: 'setApiHeaders]',
    tests: ['tests/server/clicks/log-cta-rejected.test.ts'],
  },
  {
    name: 'a small gzip may unpack to any size',
    file: 'server/posthog/proxy/unpack.ts',
    find: '{ maxOutputLength: MAX_JSON_BYTES }',
    replace: '{ maxOutputLength: 1e9 }',
    suite: 'faults',
    tests: ['tests/faults/event-attacks.test.ts'],
  },
  {
    name: 'events may be nested to any depth',
    file: 'server/posthog/proxy/json-bounds.ts',
    find: 'if (open > depth || seen > values) return false;',
    replace: 'if (seen > values) return false;',
    tests: [POSTHOG],
  },
  {
    name: 'a silent PostHog holds up any number of requests',
    file: 'server/posthog/proxy/posthog-proxy.ts',
    find: 'if (!inFlight.enter()) throw tooBusy();',
    replace: 'inFlight.enter();',
    tests: [POSTHOG],
  },
  {
    name: 'a network with 65,536 IPv6 /64s has 65,536 limits',
    file: 'server/http/rate-limit/tiers.ts',
    find: 'keyOf: networkKey, factor: 10',
    replace: 'keyOf: rateLimitKey, factor: 10',
    tests: [TIERS],
  },
  {
    name: 'all senders together have no limit',
    file: 'server/http/rate-limit/tiers.ts',
    find: "keyOf: () => 'all', factor: 100",
    replace: "keyOf: () => 'all', factor: 1e9",
    tests: [TIERS],
  },
  {
    name: 'a visitor chooses the address that the limit counts',
    file: 'server/http/request-ids.ts',
    find: '(_address, hop) => hop < proxies',
    replace: '(_address, hop) => hop >= 0 * proxies',
    tests: ['tests/server/clicks/log-cta-senders.test.ts'],
  },
  {
    name: 'the page may be framed by another site',
    file: 'server/http/security-headers.ts',
    find: "    'x-frame-options': 'DENY',\n",
    replace: '',
    tests: ['tests/server/http/pages.test.ts'],
  },
  {
    name: 'an answer reveals an internal error',
    file: 'server/http/errors.ts',
    find: 'return { error: { code, message,',
    replace: 'return { error: { code, message: String(new Error().stack) + message,',
    tests: ['tests/server/registrations/register.test.ts'],
  },
  {
    name: 'a short link’s path is not cut, and its end is found by a slow pattern',
    file: 'server/links/landing-url.ts',
    find: 'return withoutEnd(typed, PUNCTUATION)',
    replace: String.raw`return path.replace(/[\s/.,;:!?)]+$/, '')`,
    tests: [EVENT_LOOP],
  },
  {
    name: 'the address of a rejected body is redacted by a slow pattern',
    file: 'server/clicks/redact-addresses.ts',
    find: '{0,4}',
    replace: '*',
    tests: ['tests/server/linear-patterns.test.ts'],
  },
  {
    name: 'the whole address of a rejected body is kept',
    file: 'server/clicks/log-cta.ts',
    find: 'request.url.slice(0, MAX_REFUSED_TEXT)',
    replace: 'request.url',
    tests: ['tests/server/clicks/log-cta-rejected.test.ts'],
  },
  {
    name: 'the device is detected in the whole User-Agent',
    file: 'server/posthog/proxy/posthog-proxy.ts',
    find: "(request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT)",
    replace: "request.headers['user-agent'] ?? ''",
    tests: [EVENT_LOOP],
  },
  {
    name: 'every field of a beacon’s form is parsed',
    file: 'server/posthog/proxy/unpack.ts',
    find: 'end === -1 ? body.length : end',
    replace: 'body.length',
    tests: [EVENT_LOOP],
  },
  {
    name: 'a connection may send any number of requests before their answers',
    file: 'server/http/connections.ts',
    find: 'count > MAX_UNANSWERED',
    replace: 'count > 1e9',
    suite: 'faults',
    tests: [CONNECTIONS],
  },
  {
    name: 'a network’s addresses together may use all connections',
    file: 'server/http/connections.ts',
    find: 'share: 2 / 5',
    replace: 'share: 1',
    suite: 'faults',
    tests: [CONNECTIONS],
  },
  {
    name: 'slow bodies of one address use the room of all',
    file: 'server/posthog/proxy/posthog-proxy.ts',
    find: 'OPEN_BODIES / 5',
    replace: 'OPEN_BODIES',
    suite: 'faults',
    tests: [CONNECTIONS],
  },
];
