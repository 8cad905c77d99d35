/** The promise: the browser keeps a click until our server has it, and the visitor never waits. */
import type { Mutant } from '../try-mutants.ts';

const DELIVER = 'tests/tracking/clicks/deliver.test.ts';

export const BROWSER: readonly Mutant[] = [
  {
    name: 'a click that the server did not confirm leaves the outbox',
    file: 'tracking/clicks/deliver.ts',
    find: "if (outcome.kind === 'retry') {",
    replace: "if (outcome.kind === 'retry' && !outbox.has(click.id)) {",
    tests: [DELIVER],
  },
  {
    name: 'the server’s Retry-After is ignored',
    file: 'tracking/clicks/deliver.ts',
    find: 'notBefore = now() + outcome.afterMs;',
    replace: 'notBefore = now();',
    tests: [DELIVER],
  },
  {
    name: 'a click waits for the IP look-up while the page may close without an event',
    file: 'tracking/clicks/deliver.ts',
    find: 'parts.isLoaded() ? IP_GRACE_MS : 0',
    replace: 'IP_GRACE_MS',
    tests: [DELIVER],
  },
  {
    name: 'retries happen at regular times, together with those of all other browsers',
    file: 'tracking/clicks/backoff.ts',
    find: 'return random * Math.min(',
    replace: 'return 1 * Math.min(',
    tests: ['tests/tracking/clicks/backoff.test.ts'],
  },
  {
    name: 'the outbox drops its newest click when it is full',
    file: 'tracking/clicks/outbox.ts',
    find: 'for (const { id, text } of entries().reverse()) {',
    replace: 'for (const { id, text } of entries()) {',
    tests: ['tests/tracking/clicks/outbox.test.ts'],
  },
  {
    name: 'dropped clicks are not counted',
    file: 'tracking/clicks/outbox.ts',
    find: 'Math.min(MAX_DROPPED, dropped() + 1)',
    replace: 'Math.min(MAX_DROPPED, dropped())',
    tests: ['tests/tracking/clicks/outbox.test.ts'],
  },
  {
    name: 'a click that the browser cannot store is forgotten',
    file: 'tracking/clicks/outbox.ts',
    find: 'else memory.set(click.id, text);',
    replace: '',
    tests: ['tests/tracking/clicks/outbox.test.ts', DELIVER],
  },
  {
    name: 'a request without an answer holds a click for ever',
    file: 'tracking/clicks/send-click.ts',
    find: 'setTimeout(() => abort.abort(), TIMEOUT_MS)',
    replace: 'setTimeout(() => {}, TIMEOUT_MS)',
    tests: [DELIVER],
    title: 'a request without an answer',
  },
  {
    name: 'a captive portal’s page confirms a click',
    file: 'tracking/clicks/send-click.ts',
    find: 'if (status === 200 && isConfirmed && answer.id === id)',
    replace: 'if (status === 200)',
    tests: [DELIVER],
  },
  {
    name: 'an answer about another click confirms this one',
    file: 'tracking/clicks/send-click.ts',
    find: ' && answer.id === id)',
    replace: ')',
    tests: [DELIVER],
  },
  {
    name: 'every tab drains the outbox at the same time',
    file: 'tracking/clicks/deliver.ts',
    find: 'if (!locks) return work();',
    replace: 'if (locks || !locks) return work();',
    tests: [DELIVER],
    title: 'of two tabs',
  },
  {
    name: 'the hero asks for the counts once a minute',
    file: 'queries/stats-poll.ts',
    find: 'STATS_POLL_MS = 30_000',
    replace: 'STATS_POLL_MS = 60_000',
    suite: 'browser',
    tests: ['tests/e2e/stats.spec.ts'],
    title: 'every 30 s',
  },
  {
    name: 'a call to action may precede the script that counts its clicks',
    file: 'renderer/+onRenderHtml.tsx',
    find: "  requireStubFirst(body, path ?? 'the 404 page');\n",
    replace: '',
    tests: ['tests/build/capture-stub.test.ts'],
  },
  {
    name: 'the properties of a UI event do not reach tracking',
    file: 'browser/ui-events.ts',
    find: 'properties: properties ?? {}',
    replace: 'properties: {}',
    tests: ['tests/browser/ui-events.test.ts'],
  },
];
