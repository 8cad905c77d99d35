/** The published schemas of log lines, their page, and the names in ECS and OpenTelemetry. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { logLineFiles } from '../../build/log-lines.ts';
import { checkLines, faultOf } from '../helpers/server/check-lines.ts';
import { postClick } from '../helpers/server/post-click.ts';
import { makeBody, startApp } from '../helpers/server/server-app.ts';

test.each([...logLineFiles()])(
  '%s says what the schemas say: run npm run docs:log-lines',
  (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);

const rows = () => [
  ...readFileSync('docs/log-lines.md', 'utf8').matchAll(
    /^\| `(\w+)` \| (.+) \| `(.+)` \| `(.+)` \|$/gm,
  ),
];

test('every field has a meaning, a name in ECS and one in OpenTelemetry, and no name has two meanings', () => {
  expect(rows().length).toBeGreaterThan(40);
  for (const [line, field, meaning, ecs, otel] of rows()) {
    expect(line).not.toContain('undefined');
    expect([field, ecs, otel, meaning].every(Boolean)).toBe(true);
  }
  for (const column of [3, 4]) {
    const fields = Map.groupBy(rows(), (row) => row[column]);
    for (const [name, its] of fields)
      expect([name, new Set(its.map(([, field]) => field)).size]).toEqual([name, 1]);
  }
});

test('the check of lines in every test finds an unknown field, a visitor in the log, and an address of a private line', async () => {
  const site = await startApp();
  await postClick(site, makeBody());
  const [line = {}] = site.mirrored();
  expect(faultOf(JSON.stringify(line))).toBeNull();
  const { level, time, pid, hostname } = line as Record<string, unknown>;
  const log = { level, time, pid, hostname, msg: 'Stopping' };
  expect(faultOf(JSON.stringify(log))).toBeNull();
  const wrong = [
    { ...line, color: 'red' },
    { ...line, seq: 'one' },
    { ...line, private: true },
    { ...log, visitor: 1 },
    { ...log, msg: 'Cannot read the body of 203.0.113.9' },
    { ...log, err: { type: 'Error', message: 'no mail to ana@site.example', stack: '' } },
  ];
  for (const one of wrong) expect(faultOf(JSON.stringify(one))).toBeTruthy();
  const check = checkLines();
  check.add(`${JSON.stringify(log)}\n{"level":3`);
  check.expectClean();
  check.add('0}\n');
  expect(check.expectClean).toThrow();
});
