/** The retention of registrations. The test moves the clock. */
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readPeople } from '../../helpers/server/registrations.ts';
import { startApp } from '../../helpers/server/server-app.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** What the server does once a day. Its other timers use real time, because some of them run many times a second. */
let daily: (() => void)[] = [];

beforeEach(() => {
  daily = [];
  vi.useFakeTimers({ toFake: ['Date'] });
  // The mail thread has the real clock, by which every mail of this test is due.
  vi.setSystemTime(Date.now() - 60 * DAY_MS);
  const start = globalThis.setInterval;
  vi.spyOn(globalThis, 'setInterval').mockImplementation(((run: () => void, ms: number) => {
    if (ms === DAY_MS) daily.push(run);
    return start(run, ms);
  }) as typeof setInterval);
});
afterEach(() => {
  vi.useRealTimers();
});

function passDays(days: number): void {
  vi.setSystemTime(Date.now() + days * DAY_MS);
  for (const run of daily) run();
}

test('a running server deletes each registration and its mail on the day when it is too old', async () => {
  const site = await startApp({ site: { registrationRetentionDays: 30 } });
  const register = async (name: string) => {
    const payload = { firstName: 'Ana', lastName: 'Silva', email: `${name}@example.org` };
    const answer = await site.app.inject({
      method: 'POST',
      url: '/api/register',
      payload: { ...payload, agreedToTerms: true },
    });
    expect(answer.statusCode).toBe(201);
    await expect.poll(() => readdirSync(site.config.dataDir)).toContain('mail');
  };
  const mails = () => readdirSync(site.config.files.mail).length;
  const names = async () => (await readPeople(site.config)).map(({ email }) => email.split('@')[0]);
  const said = () => site.logged().flatMap(({ msg }) => (/^Removed/.test(`${msg}`) ? [msg] : []));

  await register('first');
  passDays(1);
  await register('second');
  await expect.poll(mails).toBe(2);

  passDays(28.5);
  expect(await names()).toEqual(['first', 'second']);
  passDays(1);
  await expect.poll(names).toEqual(['second']);
  await expect.poll(mails).toBe(1);
  // And the day after that.
  passDays(1);
  await expect.poll(names).toEqual([]);
  await expect.poll(mails).toBe(0);
  expect(said()).toEqual(Array(2).fill('Removed 1 registrations older than 30 days'));
});
