/** The retention of registrations. The test moves the clock. */
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readPeople } from '../../helpers/server/registrations.ts';
import { startApp } from '../../helpers/server/server-app.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

beforeEach(() => {
  // Fakes only the timers that count days. Files and answers use real time.
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  // The mail thread has the real clock, by which every mail of this test is due.
  vi.setSystemTime(Date.now() - 60 * DAY_MS);
});
afterEach(() => {
  vi.useRealTimers();
});

test('a running server deletes each registration and its mail on the day when it is too old', async () => {
  // Moves both clocks together.
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

  // The day is not over, so the retention does not run. Each poll of expect.poll moves the clock too, hence the hour.
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
