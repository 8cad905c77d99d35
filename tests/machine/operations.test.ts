/** docs/operations.md, line by line, on a machine that systemd and the project's own scripts have set up. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { startMachine } from './machine.ts';
import { readRunbook, type Section, withoutFigures } from './runbook.ts';
import { addRepository, setUp } from './set-up.ts';
import { ALERTS } from './stops/alerts.ts';
import { MESSAGES } from './stops/messages.ts';
import { walk } from './walk.ts';

const STOPS = { ...ALERTS, ...MESSAGES };
const SET_UP = 'Set up a machine';
/** Its commands start another layout: tests/cluster/rehearsal.test.ts. */
const ELSEWHERE = ['Rehearsal'];
/** It shows what the servers say in faults of other sections. */
const OF_ALL = 'The first five minutes';
/** Words of headings that no program says, or not within minutes. The runbook's last section names the second kind. */
const NOT_SAID = [
  ...['/healthz', 'PostgreSQL (host/database)', 'There are registrations, but not the keys'],
  ...['catching_up', 'The server is overloaded', 'is POSTHOG_HOST the ingestion host?'],
  'events waited for PostHog for seven days and were given up',
];
/** What a shell or a program prints about a command that does not exist. */
const WRONG = /command not found|There is no command|Unexpected argument|Unknown option|^Usage: /m;

test('each command of the runbook runs, and prints the lines that the page shows', async () => {
  const sections = readRunbook();
  const find = (heading: string) => sections.find((it) => it.heading === heading) as Section;
  expect(Object.keys(STOPS).filter((heading) => !find(heading))).toEqual([]);
  const machine = await startMachine('site', 'site.example');
  onTestFinished(() => machine.stop());
  await addRepository(machine);
  const said = new Map<string, string>();
  const [setUpSaid, outside] = await setUp(machine, find(SET_UP));
  said.set(SET_UP, setUpSaid);
  for (const section of sections) {
    if ([SET_UP, ...ELSEWHERE].includes(section.heading)) continue;
    said.set(section.heading, await walk(machine, outside, section, STOPS[section.heading] ?? {}));
  }
  const log = await machine.run(`journalctl -u 'site@*' -o cat | grep -v '"event":"'`);
  const all = `${[...said.values()].join('\n')}\n${log.text}`;
  const record = [...said].map(([heading, text]) => `\n## ${heading}\n\n${text}`).join('\n');
  mkdirSync('node_modules/.cache', { recursive: true });
  writeFileSync('node_modules/.cache/operations-walk.txt', record);

  expect(all.match(WRONG)).toBe(null);
  const missing = sections
    .filter(({ heading }) => !ELSEWHERE.includes(heading))
    .map(({ heading, printed }) => ({
      heading,
      lines: findMissing(printed, heading === OF_ALL ? all : (said.get(heading) ?? '')),
    }));
  expect(missing.filter(({ lines }) => lines.length > 0)).toEqual([]);
  const quotes = sections.flatMap(({ heading }) =>
    [...heading.matchAll(/`([^`]+)`/g)].map(([, quote = '']) => quote),
  );
  expect(quotes.length).toBeGreaterThan(20);
  expect(quotes.filter((it) => !NOT_SAID.includes(it) && !all.includes(it))).toEqual([]);
});

/** Figures may differ, and a line may have more at its begin or end, such as the journal's date or a further reason. */
function findMissing(shown: readonly string[], said: string): string[] {
  const lines = said.split('\n').map(withoutFigures);
  return shown.filter(
    (line) => !lines.some((it) => it.includes(withoutFigures(line).replace(/\]\}$/, ''))),
  );
}
