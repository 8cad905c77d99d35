/** The promise: the page's statements about privacy are true. */
import type { Mutant } from '../try-mutants.ts';

export const PRIVACY: readonly Mutant[] = [
  {
    name: 'the ledger has the address of a visitor with Global Privacy Control',
    file: 'server/clicks/click-line.ts',
    find: "reception.wantsPrivacy ? 'none' : settings.logIp",
    replace: 'reception.wantsPrivacy ? settings.logIp : settings.logIp',
    tests: ['tests/server/clicks/log-cta-senders.test.ts'],
  },
  {
    name: 'Do Not Track is ignored',
    file: 'server/http/wants-privacy.ts',
    find: " || headers.dnt === '1'",
    replace: '',
    tests: ['tests/server/clicks/log-cta-senders.test.ts'],
  },
  {
    name: 'LOG_IP=truncated writes whole addresses',
    file: 'server/http/address.ts',
    find: "policy === 'full' ? plainAddress(address)",
    replace: "policy !== 'none' ? plainAddress(address)",
    tests: ['tests/server/http/address.test.ts'],
  },
  {
    name: 'refused.jsonl keeps addresses at any LOG_IP',
    file: 'server/clicks/redact-addresses.ts',
    find: "if (body === null || policy === 'full') return body;",
    replace: "if (body === null || policy !== 'full') return body;",
    tests: ['tests/server/clicks/redact-addresses.test.ts'],
  },
  {
    name: 'PostHog gets the visitor’s address by default',
    file: 'server/posthog/proxy/posthog-proxy.ts',
    find: 'const address = config.posthogSendIp ?',
    replace: 'const address = !config.posthogSendIp ?',
    tests: ['tests/server/posthog/proxy/posthog-proxy.test.ts'],
  },
  {
    name: 'PostHog gets robots’ events',
    file: 'server/posthog/proxy/from-browser.ts',
    find: 'return isBot(request.userAgent, request.userAgent) ? [] : complete;',
    replace: 'return complete;',
    tests: ['tests/server/posthog/proxy/posthog-proxy.test.ts'],
  },
  {
    name: 'PostHog gets utm values that may name a person',
    file: 'server/posthog/complete-event.ts',
    find: "typeof value === 'string' && CAMPAIGN_VALUE.test(value)",
    replace: "typeof value === 'string'",
    tests: ['tests/server/posthog/complete-event.test.ts'],
  },
  {
    name: 'events have no session',
    file: 'server/posthog/complete-event.ts',
    find: '$session_id: visitId,',
    replace: '$session_id: null,',
    tests: ['tests/server/posthog/complete-event.test.ts'],
  },
  {
    name: 'the ledger has advertisers’ click ids of visits without script',
    file: 'server/clicks/read-click.ts',
    find: ".replace(OTHER_PARAMETERS, '$1')",
    replace: '',
    tests: ['tests/server/clicks/click-fields.test.ts'],
  },
  {
    name: 'an invalid screen class loses the click',
    file: 'contract/log-cta.schema.ts',
    find: 'schema.optional().catch(undefined)',
    replace: 'schema.optional()',
    tests: ['tests/server/clicks/click-fields.test.ts'],
  },
  {
    name: 'replay sends private clicks to PostHog',
    file: 'server/posthog/from-ledger.ts',
    find: "if (click.private) return 'private';",
    replace: '',
    tests: ['tests/cli/replay.test.ts'],
  },
  {
    name: 'the log quotes a client’s input',
    file: 'server/http/errors.ts',
    find: 'fields: fields && Object.keys(fields), ...place }',
    replace: 'err: error, ...place }',
    tests: ['tests/server/log-privacy.test.ts'],
  },
];
