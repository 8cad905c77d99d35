/**
 * Shows whether PostHog gets each click once: a real Chromium, the real build, a real server with its real waits, and the
 * stand-in for PostHog.
 *
 *   npm run bench:posthog -- [--tries 20] [--only close-50] [--minutes 1] [--dist dist]
 *
 * --tries: clicks of each condition; --only: one condition (loss-conditions.ts lists them), may be repeated;
 * --minutes: length of PostHog's own faults; --dist: an earlier build with PostHog, instead of a new one. A server completes
 * PostHog after a minute, so each run takes minutes. Exits with 1 if a click is lost or double.
 */
import { parseArgs } from 'node:util';
import { CONDITIONS } from './loss-conditions.ts';
import { type Counted, count } from './loss-count.ts';
import { HEAD, rowOf } from './loss-report.ts';
import { buildSite, openStage, type Stage } from './loss-stage.ts';
import { launchBrowser } from './page-visit.ts';

const { values: options } = parseArgs({
  options: {
    tries: { type: 'string', default: '20' },
    only: { type: 'string', multiple: true },
    minutes: { type: 'string', default: '1' },
    dist: { type: 'string' },
  },
});
const wanted = CONDITIONS.filter(({ name }) => options.only?.includes(name) ?? true);
const unknown = options.only?.filter((name) => !CONDITIONS.some((one) => one.name === name)) ?? [];
if (unknown.length > 0) {
  const names = CONDITIONS.map(({ name }) => name).join(', ');
  throw new Error(`Unknown condition ${unknown.join(', ')}. Choose among ${names}.`);
}

const stages: Stage[] = [];
try {
  const counted = await run(options.dist ?? (await buildSite()), Number(options.tries));
  process.stdout.write(`${[HEAD, ...counted.map(rowOf)].join('\n')}\n`);
  process.exitCode = counted.some(({ lost, double }) => lost + double > 0) ? 1 : 0;
} finally {
  await Promise.all(stages.map((stage) => stage.close()));
}

/** Makes the clicks of one condition after the other. The waits for PostHog overlap. */
async function run(dist: string, tries: number): Promise<Counted[]> {
  const browser = await launchBrowser();
  const counts: Promise<Counted>[] = [];
  for (const condition of wanted) {
    const stage = await openStage(dist);
    stages.push(stage);
    await condition.run(browser, stage, tries, Number(options.minutes) * 60_000);
    process.stderr.write(`${condition.name}: ${stage.clicks.length} clicks made\n`);
    counts.push(count(stage, condition));
  }
  await browser.close();
  process.stderr.write('Waiting for the servers to complete PostHog\n');
  return Promise.all(counts);
}
