/** Runs a section of the runbook: brings its fault about, runs each command, ends the fault. */
import type { Machine } from './attach.ts';
import type { Section } from './runbook.ts';
import type { Outside } from './set-up.ts';
import type { Stop } from './stops/stop.ts';

/** Where the runbook's own example would find nothing, or would not end. */
const EXAMPLES: [text: string, replacement: string][] = [
  ['--follow', '--follow --limit 5'],
  [
    '01a203fd-f690-7979-be2a-4270fe3e6479',
    `$(grep -o '"visit_id":"[^"]*' /var/lib/site/3001/clicks.jsonl | head -n 1 | cut -d '"' -f 4)`,
  ],
];

/** @returns everything that was printed */
export async function walk(
  { run, until }: Machine,
  { change }: Outside,
  { heading, blocks, inline }: Section,
  stop: Stop,
): Promise<string> {
  const began = `export BEGAN=@${Math.floor(Date.now() / 1000)}\n`;
  const start = performance.now();
  const said: string[] = [];
  const say = async (lines = '') => {
    if (lines) said.push((await run(began + lines)).text);
  };
  const wait = async (lines = '') => {
    if (lines) said.push(await until(began + lines));
  };
  await say(stop.before);
  if (stop.outside) await change(stop.outside);
  await wait(stop.until);
  for (const lines of [...blocks, ...inline]) await say(withExamples(lines));
  if (stop.outside) await change(stop.outside);
  await say(stop.after);
  await wait(stop.over);
  process.stdout.write(
    `${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  ${heading}\n`,
  );
  return said.join('\n');
}

const withExamples = (lines: string): string =>
  EXAMPLES.reduce((text, [example, replacement]) => text.replaceAll(example, replacement), lines);
