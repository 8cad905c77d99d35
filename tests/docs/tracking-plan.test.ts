/** The tracking plan: its page, and its events in the code. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NO_ANALYTICS } from '#browser/posthog/analytics.ts';
import { EVENTS, VISIT_PROPERTIES } from '#contract/events.ts';

const PAGE = readFileSync('docs/tracking-plan.md', 'utf8');
/** The names in the first column of the tables that begin with that heading. */
const namesUnder = (heading: string) => {
  const [section = ''] = (PAGE.split(`\n${heading}\n`)[1] ?? '').split(/\n##? /);
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name);
};

test('docs/tracking-plan.md describes every event and property, and no other', () => {
  expect(namesUnder('## Events')).toEqual(Object.keys(EVENTS));
  expect(namesUnder('## Properties of every event')).toEqual(Object.keys(VISIT_PROPERTIES));
  expect(namesUnder('## Properties of single events')).toEqual(
    Object.values(EVENTS).flatMap((own) => Object.keys(own)),
  );
});

const SOURCES = globSync('{browser,components,pages}/**/*.{ts,tsx}')
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

test.each(Object.keys(EVENTS))('the page’s code fires %s', (event) => {
  const name = event.replace('$', '\\$');
  const fires = new RegExp(`\\btrack\\(\\s*'${name}'|event: '${name}'`);
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
