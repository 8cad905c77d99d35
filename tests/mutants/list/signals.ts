/** The promise: metrics and health tell operators what is wrong, and strangers nothing. */
import type { Mutant } from '../try-mutants.ts';

const METRICS = 'tests/server/metrics/metrics.test.ts';
const HEALTH = 'tests/server/health/health.test.ts';
const ALERTS = 'tests/deploy/prometheus.test.ts';

export const SIGNALS: readonly Mutant[] = [
  {
    name: 'overload: a disk that hangs refuses no click',
    file: 'server/clicks/record-clicks.ts',
    find: 'const since = committingSince ?? gatheringSince;',
    replace: 'const since = null as number | null;',
    suite: 'faults',
    tests: ['tests/faults/overload.test.ts'],
  },
  {
    name: 'overload: one block of the event loop refuses clicks',
    file: 'server/clicks/overload.ts',
    find: 'Math.min(delay, lastDelay)',
    replace: 'Math.max(delay, lastDelay)',
    tests: ['tests/server/clicks/overload.test.ts'],
  },
  {
    name: 'signals: an unknown event becomes a label',
    file: 'server/metrics/watch-clicks.ts',
    find: 'const tally = clicks.get(event) ?? unknown;',
    replace:
      'const tally = clicks.get(event) ?? (unknown && clicks.set(event, { ...unknown }).get(event));',
    tests: [METRICS],
  },
  {
    name: 'signals: a repeated click reports lost clicks again',
    file: 'server/metrics/watch-clicks.ts',
    find: "if (dropped !== undefined && outcome === 'logged')",
    replace: 'if (dropped !== undefined)',
    tests: [METRICS],
  },
  {
    name: 'signals: an answer is counted before its route changes the status',
    file: 'server/metrics/watch-requests.ts',
    find: 'route.onSend = [...onSend, countAnswer]',
    replace: 'route.onSend = [countAnswer, ...onSend]',
    tests: [METRICS],
  },
  {
    name: 'signals: groups of one click are not counted',
    file: 'server/metrics/watch-clicks.ts',
    find: 'if (rows.length > 0) {',
    replace: 'if (rows.length > 1) {',
    tests: [METRICS],
  },
  {
    name: 'signals: a metrics port in use ends the server',
    file: 'server/metrics/listen.ts',
    find: 'if (!isWarned) log.warn(describe(cause, port));',
    replace: 'throw cause;',
    tests: [METRICS],
  },
  {
    name: 'signals: strangers learn what is broken',
    file: 'server/health/health.ts',
    find: 'return isFromHere(request) ? body : { status: body.status };',
    replace: 'return body;',
    tests: [HEALTH],
  },
  {
    name: 'signals: /readyz ignores the disk',
    file: 'server/health/health.ts',
    find: 'if (fault !== null) return fault;',
    replace: '',
    tests: [HEALTH],
  },
  {
    name: 'signals: a stopping server says that it is ready',
    file: 'server/serve.ts',
    find: 'isStopping = true;',
    replace: '',
    tests: ['tests/server/health/stopping.test.ts'],
  },
  {
    name: 'signals: little space fills the log with warnings',
    file: 'server/clicks/ledger/watch-space.ts',
    find: 'if (warning === null) log.warn(',
    replace: 'log.warn(',
    tests: ['tests/server/clicks/ledger/watch-space.test.ts'],
  },
  {
    name: 'signals: a server without its database says that it is ready',
    file: 'server/metrics/service-gauges.ts',
    find: '(await recorder.fault()) === null && (await isIndexThere())',
    replace: '(await recorder.fault()) === null',
    tests: ['tests/cluster/service-metrics.test.ts'],
    suite: 'cluster',
  },
  {
    name: 'signals: a verdict of PostHog appears with its first event',
    file: 'server/metrics/tallies.ts',
    find: 'VERDICTS_OF_CHANNELS.map((key) => [key, 0])',
    replace: '[]',
    tests: [ALERTS],
  },
];
