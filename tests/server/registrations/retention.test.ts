/** How long registrations stay; a day passes when the test says so. */
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readPeople } from '../../helpers/server/registrations.ts';
import { startApp } from '../../helpers/server/server-app.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

beforeEach(() => {
  // Only what counts days: files and answers take the time they take.
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  // The thread that sends mails has the real clock: for it, every mail of this test is due.
  vi.setSystemTime(Date.now() - 60 * DAY_MS);
});
afterEach(() => {
  vi.useRealTimers();
});

test('a server that runs on removes each registration on the day on which it is too old, with its mail', async () => {
  // Time passes: both clocks go on together.
  const clock = { now: () => Date.now(), monotonic: () => Date.now() };
  const site = await startApp({ env: { REGISTRATION_RETENTION_DAYS: '30' }, clock });
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

  vi.advanceTimersByTime(DAY_MS / 2);
  await register('first');
  vi.advanceTimersByTime(DAY_MS);
  await register('second');
  await expect.poll(mails).toBe(2);

  // A day is not over: nobody looks. Each look of expect.poll moves the clock as well, hence the hour.
  vi.setSystemTime(Date.now() + 29 * DAY_MS);
  vi.advanceTimersByTime(DAY_MS / 2 - HOUR_MS);
  expect(await names()).toEqual(['first', 'second']);
  vi.advanceTimersByTime(HOUR_MS);
  expect(await names()).toEqual(['second']);
  await expect.poll(mails).toBe(1);
  // And the day after that.
  vi.advanceTimersByTime(DAY_MS);
  expect(await names()).toEqual([]);
  await expect.poll(mails).toBe(0);
  expect(said()).toEqual(Array(2).fill('Removed 1 registrations older than 30 days'));
});
