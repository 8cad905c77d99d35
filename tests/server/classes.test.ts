/** Each class of a page that the server writes has a rule in the page's own style. */
import { expect, test } from 'vitest';
import { classesOf, classesWithRule, inlineStyles } from '../helpers/browser/css-classes.ts';
import { clicksOf, startSite, visitsOf } from '../helpers/server/report-site.ts';
import { runSite } from '../helpers/server/run-site.ts';
import { makeDist } from '../helpers/server/server-dist.ts';

/** Classes that may be without a rule, each with the reason. */
const WITHOUT_RULE: Record<string, string> = {
  ref: 'Every table of the report has its name as its class. This one looks as all do, as do the next three.',
  cta: 'the same',
  device: 'the same',
  language: 'the same',
  h0: 'The lowest of five steps of the hours’ table, which has the ground of the page.',
};

const CODE = 'clinic-7';
const PAGES = [
  { url: '/report', query: {} },
  { url: '/report', query: { days: '1' } },
  { url: '/report', query: { weekday: 'sun', ref: CODE } },
  { url: `/report/links/${CODE}`, query: {} },
  { url: `/report/links/${CODE}`, query: { language: 'es' } },
];

test.each(PAGES)('each class of $url with $query has a rule', async ({ url, query }) => {
  const clicks = [...clicksOf(CODE, 24), ...clicksOf(null, 6, { via: 'ping' })];
  const site = await startSite(clicks, [...visitsOf(CODE, 60), ...visitsOf(null, 40)]);
  const env = { DATA_DIR: site.config.dataDir };
  const folders = ['--to', env.DATA_DIR, '--build', makeDist()];
  await runSite(['link', '--ref', CODE, '--name', 'Bay Clinic', ...folders], env);
  const { body } = await site.ask(query, url);
  const rules = classesWithRule(inlineStyles(body));
  const classes = [...classesOf(body)];
  expect(classes.length).toBeGreaterThan(5);
  expect(classes.filter((name) => !rules.has(name) && !(name in WITHOUT_RULE))).toEqual([]);
});
