/** The promise: metrics and health tell operators what is wrong, and strangers nothing. */
import type { Mutant } from '../try-mutants.ts';

const METRICS = 'tests/server/metrics/metrics.test.ts';
const HEALTH = 'tests/server/health/health.test.ts';
const ALERTS = 'tests/deploy/prometheus.test.ts';
const CANARY = 'tests/server/clicks/canary.test.ts';
const CANARY_COMMAND = 'tests/cli/canary.test.ts';

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
  {
    name: 'canary: a mark without a valid signature takes a click out of the counts',
    file: 'server/clicks/canary.ts',
    find: 'if (!isSameProof(signature, signCanary(key, line)))',
    replace: 'if (signature === undefined)',
    tests: [CANARY],
  },
  {
    name: 'canary: a recorded canary is valid for ever',
    file: 'server/clicks/canary.ts',
    find: 'if (Math.abs(aheadMs) > CLOCK_TOLERANCE_MS)',
    replace: 'if (aheadMs > CLOCK_TOLERANCE_MS)',
    tests: [CANARY],
  },
  {
    name: 'canary: the statistics count it',
    file: 'server/clicks/canary.ts',
    find: '{ ...line, is_bot: true, canary',
    replace: '{ ...line, is_bot: false, canary',
    tests: [CANARY],
  },
  {
    name: 'canary: the metrics of clicks count it',
    file: 'server/metrics/watch-clicks.ts',
    find: "if (outcome !== 'failed') tallies.lastCanaryMs = Date.now();\n        return;",
    replace: "if (outcome !== 'failed') tallies.lastCanaryMs = Date.now();",
    tests: [CANARY_COMMAND],
  },
  {
    name: 'canary: the report counts it as a robot',
    file: 'server/report/engine/tally.ts',
    find: 'if (flags & FLAG.canary) continue;',
    replace: '',
    tests: [CANARY_COMMAND],
  },
  {
    name: 'canary: any answer with 200 is a proof',
    file: 'cli/canary/send-canary.ts',
    find: "if (!isProven(headers, key, id, 'logged') && !isProven(headers, key, id, 'duplicate'))",
    replace: 'if (headers === undefined)',
    tests: [CANARY_COMMAND],
  },
];
