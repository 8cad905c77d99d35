/**
 * Measures the response times of clicks and pages while each fsync takes 50 ms more, as on a
 * network disk. strace delays the calls.
 */
import { parseArgs } from 'node:util';
import { percentile, printTable, sendSteadily } from './load.ts';
import { startBenchServer } from './server.ts';

const DELAY_US = 50_000;
/** The command that runs the server with delayed calls. */
const SLOW_DISK = [
  'strace',
  '-f',
  '--seccomp-bpf',
  '-qq',
  '-o',
  '/dev/null',
  '-e',
  'trace=fsync,fdatasync',
  '-e',
  `inject=fsync,fdatasync:delay_exit=${DELAY_US}`,
];
const WARM_UP_S = 2;
/** Upper bounds for the 99th percentile, in milliseconds. The table shows them. */
const BUDGETS = { clicks: 300, pages: 50 };

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rate: { type: 'string', default: '150' },
      seconds: { type: 'string', default: '10' },
    },
  });
  const { url } = await startBenchServer({ through: SLOW_DISK });
  const pace = { rate: Number(values.rate), seconds: Number(values.seconds) };
  await sendSteadily(url, { ...pace, seconds: WARM_UP_S });
  const { failed, ...times } = await sendSteadily(url, pace);
  const row = (name: 'clicks' | 'pages') => [
    name,
    ...[0.5, 0.99].map((part) => percentile(times[name], part).toFixed(1)),
    BUDGETS[name],
  ];
  printTable(
    ['50 ms more per fsync', 'p50, ms', 'p99, ms', 'budget of p99'],
    [row('clicks'), row('pages')],
  );
  process.stdout.write(`Failed: ${failed} of ${times.clicks.length + times.pages.length}\n`);
}
