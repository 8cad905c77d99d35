/**
 * `npm run rehearse`: plays a night of disasters on the shipped layout under load, and draws what became of every click.
 * Exits with 1 if a click or a mail was lost or arrived twice.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import ensureBuild from '../tests/helpers/run/ensure-build.ts';
import { hold } from './hold.ts';
import { startLayout } from './layout/start-layout.ts';
import { playNight } from './night/play-night.ts';
import { FULL, SHORT } from './night/scripts.ts';
import { isClean } from './night/verdict.ts';
import { drawNight } from './picture/draw-night.ts';
import { reportOf, summaryOf } from './report.ts';

const USAGE = `npm run rehearse -- [--short] [--picture FILE] [--results FILE] [--data FILE]
npm run rehearse -- --hold      starts the layout, and waits for names of disasters on standard input`;
const PICTURE = 'docs/images/rehearsal.svg';
const RESULTS = 'docs/results/rehearsal.md';

const options = readOptions();
await ensureBuild();
const layout = await startLayout({
  dist: process.env.DIST_DIR ?? 'dist',
  settings: options.script.settings,
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void layout.stop().then(() => process.exit(1)));
}
if (options.hold) await holdUntilEnd();
else await rehearse();

async function holdUntilEnd(): Promise<void> {
  try {
    await hold(layout, (line) => process.stdout.write(`${line}\n`));
  } finally {
    await layout.stop();
  }
}

async function rehearse(): Promise<void> {
  const begin = performance.now();
  const say = (line: string) => {
    const seconds = ((performance.now() - begin) / 1000).toFixed(0);
    process.stdout.write(`${seconds.padStart(4)} s  ${line}\n`);
  };
  try {
    const night = await playNight(layout, options.script, say);
    if (options.data) write(options.data, JSON.stringify(night));
    write(options.picture, drawNight(night));
    write(options.results, reportOf(night, options));
    process.stdout.write(`${summaryOf(night)}\nThe picture: ${options.picture}\n`);
    process.exitCode = isClean(night.verdict) ? 0 : 1;
  } finally {
    await layout.stop();
  }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        short: { type: 'boolean', default: false },
        hold: { type: 'boolean', default: false },
        picture: { type: 'string', default: PICTURE },
        results: { type: 'string', default: RESULTS },
        data: { type: 'string' },
      },
    });
    return { ...values, script: values.short ? SHORT : FULL };
  } catch (cause) {
    process.stderr.write(`${(cause as Error).message}\n${USAGE}\n`);
    process.exit(2);
  }
}
