/** PostHog is asked to delete a forgotten visitor, and gets no further event of theirs. */
import { randomUUIDv7 } from 'node:crypto';
import { expect, test } from 'vitest';
import { browserEvent, VISIT } from '../../helpers/fakes/browser-event.ts';
import { startPosthogSite } from '../../helpers/server/posthog-site.ts';
import { runSite, spawnSite } from '../../helpers/server/run-site.ts';
import { makeDist } from '../../helpers/server/server-dist.ts';

const OTHER = randomUUIDv7();
/** From which `inject` sends. */
const IP = '127.0.0.1';
const KEYS = { POSTHOG_PROJECT_ID: '7', POSTHOG_PERSONAL_KEY: 'phx_test' };

test('PostHog is asked after the batch under way, and gets no event of the visitor any more', async () => {
  const site = await startPosthogSite();
  const { capture } = site;
  capture.world.persons.add(VISIT);
  // The server breaks this batch off after 10 s. Until then, PostHog may still take it.
  capture.play({ ending: 'silent', copies: 0 });
  const id = await site.click({ visit_id: VISIT });
  await expect.poll(() => capture.requests.length).toBe(1);
  const event = browserEvent();
  await site.app.inject({ method: 'POST', url: '/k/e/', payload: event });
  const build = makeDist({ posthogHost: capture.url });
  const child = spawnSite(['forget', '--visit', VISIT, '--build', build], {
    DATA_DIR: site.config.dataDir,
    ...KEYS,
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
  await expect.poll(() => out).toContain('Forgotten: 1 clicks, 1 other events for PostHog');
  await expect.poll(() => out).toContain('PostHog has found 1 of 1 persons');
  expect(site.logged().map(({ msg }) => msg)).toContainEqual(
    expect.stringMatching(/^PostHog gets no events: .* did not answer in time$/),
  );
  expect(capture.requests.at(-1)?.path).toBe('/api/projects/7/persons/bulk_delete/');
  await site.click({ id, visit_id: VISIT });
  const other = await site.click();
  await expect.poll(site.arrived).toEqual([other]);
  expect(capture.requests.filter(({ body }) => body.includes(event.uuid))).toEqual([]);
  await expect.poll(site.outbox).toEqual([]);
});

test.each<[string, Record<string, string>, number, RegExp]>([
  ['without its key', {}, 0, /POSTHOG_PERSONAL_KEY are not set\. Ask PostHog to delete/],
  ['that knows no person', KEYS, 0, /found 0 of 1 persons.*\nThe others have no person profile/],
  [
    'that refuses the key',
    { ...KEYS, POSTHOG_PERSONAL_KEY: 'phx_no' },
    1,
    /PERSONAL_KEY has no access(.|\n)*Ask PostHog to delete/,
  ],
])(
  'PostHog %s: the command names the visits to delete by hand',
  async (_, more, expected, words) => {
    // No row waits for PostHog, so the command need not wait either.
    const site = await startPosthogSite({ site: { posthogKey: null } });
    await site.click({ visit_id: VISIT });
    // PostHog gets no robots, so this visit is not named.
    await site.click({ visit_id: OTHER, user_agent: 'Googlebot/2.1' });
    const env = { DATA_DIR: site.config.dataDir, ...more };
    const build = makeDist({ posthogHost: site.capture.url });
    const { out, err, code } = await runSite(['forget', '--ip', IP, '--build', build], env);
    expect(code).toBe(expected);
    expect(out + err).toMatch(words);
    expect(out + err).toContain(`distinct_id:\n  ${VISIT}\n`);
    expect(out + err).not.toContain(OTHER);
    expect(out).toContain('Not reached:\n  - backups');
  },
);
