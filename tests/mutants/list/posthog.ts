/** The promise: PostHog gets each event, and each event once. */
import type { Mutant } from '../try-mutants.ts';

const FORWARDER = 'tests/server/posthog/forwarder/forwarder.test.ts';
const PROXY = 'tests/server/posthog/proxy/posthog-proxy.test.ts';
const RECEIPTS = 'tests/server/posthog/receipts/sqlite-receipts.test.ts';

export const POSTHOG: readonly Mutant[] = [
  {
    name: 'clicks wait for the receipts’ disk',
    file: 'server/posthog/open-posthog.ts',
    find: '{ threaded: true }',
    replace: '{ threaded: false }',
    tests: ['tests/server/posthog/receipts/threaded-receipts.test.ts'],
  },
  {
    name: 'a retry replaces a final verdict',
    file: 'server/posthog/receipts/receipt-store.ts',
    find: "'retry drop accepted warning ok'",
    replace: "'drop accepted warning ok retry'",
    tests: [RECEIPTS],
  },
  {
    name: 'two senders may send the same event',
    file: 'server/posthog/receipts/sqlite-receipts.ts',
    find: ' WHERE until <= ?`',
    replace: ' WHERE until <= ? OR true`',
    tests: [RECEIPTS],
  },
  {
    name: 'a click goes to PostHog before its browser could send it',
    file: 'server/posthog/forwarder/forward-ledger.ts',
    find: '< pace.ageMs',
    replace: '< 0',
    tests: [FORWARDER],
  },
  {
    name: 'a click that PostHog does not take holds up the next ones',
    file: 'server/posthog/forwarder/forward-ledger.ts',
    find: 'failures >= parts.pace.failuresBeforeAside &&',
    replace: 'failures < 0 &&',
    tests: [FORWARDER],
  },
  {
    name: 'a fault of PostHog loses the clicks of its time',
    file: 'server/posthog/forwarder/forward-ledger.ts',
    find: 'while (pending.length > 0) {',
    replace: 'for (let n = 0; n < 1 && pending.length > 0; n += 1) {',
    tests: [FORWARDER],
  },
  {
    name: 'each failed attempt is a line in the log',
    file: 'server/posthog/delivery-state.ts',
    find: 'if (next && next.kind !== trouble?.kind) {',
    replace: 'if (next) {',
    tests: [FORWARDER],
  },
  {
    name: 'a receipt store that is away loses browsers’ events',
    file: 'server/posthog/proxy/deliver.ts',
    find: 'return { mine: events, held: [] };',
    replace: 'return { mine: [], held: [] };',
    tests: [PROXY],
  },
  {
    name: 'any number of events may wait',
    file: 'server/posthog/forwarder/forward-waiting.ts',
    find: 'return events < room.events && bytes < room.bytes;',
    replace: 'return events >= 0 || bytes < room.bytes;',
    tests: [PROXY],
  },
];
