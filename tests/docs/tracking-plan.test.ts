/** The tracking plan: its page, its events in the code, and its size in the browser. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EVENTS, type PlannedProperty, VISIT_PROPERTIES } from '#contract/events.ts';
import { NO_ANALYTICS } from '#tracking/posthog/analytics.ts';
import { PLAN_PAGE, trackingPlanPage } from '../../build/tracking-plan.ts';

test('docs/tracking-plan.md says what the plan says: run node build/write-tracking-plan.ts', () => {
  expect(readFileSync(PLAN_PAGE, 'utf8')).toBe(trackingPlanPage());
});

const SOURCES = globSync('{tracking,browser,islands,components,pages}/**/*.{ts,tsx}')
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

test('each column that the plan names is one of the table `clicks`', () => {
  const sql = readFileSync('server/database/migrations/sqlite/001-clicks.sql', 'utf8');
  const [table = ''] = /CREATE TABLE clicks .*?;/s.exec(sql) ?? [];
  const plans: PlannedProperty[] = [
    ...Object.values(VISIT_PROPERTIES),
    ...Object.values(EVENTS.cta_click.properties),
  ];
  for (const { column } of plans)
    if (column) expect(table).toMatch(new RegExp(`^  ${column} `, 'm'));
});

test.each(Object.keys(EVENTS))('the page’s code fires %s', (event) => {
  const name = event.replace('$', '\\$');
  const fires = new RegExp(`(emitUiEvent|\\.track)\\(\\s*'${name}'|event: '${name}'`);
  expect(SOURCES).toMatch(fires);
});

test('the compiler refuses events and properties that are not in the plan', () => {
  const { track } = NO_ANALYTICS;
  track('section_viewed', { section: 'impact' });
  // @ts-expect-error: no such event.
  track('section_seen', { section: 'impact' });
  // @ts-expect-error: no such property.
  track('section_viewed', { section: 'impact', color: 'red' });
  // @ts-expect-error: a property is missing.
  track('section_viewed', {});
  // @ts-expect-error: no such value.
  track('cta_click', { category: 'CTA', label: 'side_button', value: 1, event_id: '' });
});

test('no description of the plan is in a script of the page', () => {
  const scripts =
    globSync('assets/**/*.js', { cwd: client }).map(read).join('\n') + read('index.html');
  expect(scripts).toContain('section_viewed');
  const descriptions = [
    ...Object.values(EVENTS).map(({ when }) => when),
    ...Object.values(VISIT_PROPERTIES).map(({ meaning }) => meaning),
  ];
  for (const text of descriptions) expect(scripts).not.toContain(text);
});

const client = join(process.env.DIST_DIR ?? 'dist', 'client');
const read = (file: string) => readFileSync(join(client, file), 'utf8');
