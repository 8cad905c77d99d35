import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { readPeople } from '../../helpers/registrations.ts';
import { startApp } from '../../helpers/server-app.ts';

const PERSON = {
  firstName: 'Ana',
  lastName: 'Silva',
  email: 'ana@example.org',
  smaType: 'Type 2',
  agreedToTerms: true,
};

type Site = Awaited<ReturnType<typeof startApp>>;
const post = (site: Site, payload: object, headers: Record<string, string> = {}) =>
  site.app.inject({ method: 'POST', url: '/api/register', payload, headers });

const people = (site: Site) => readPeople(site.config);

describe('a registration', () => {
  test('is kept, and answered with 201', async () => {
    const site = await startApp();
    const answer = await post(site, PERSON);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({ status: 'registered' });
    const { agreedToTerms: _, ...kept } = PERSON;
    expect(await people(site)).toEqual([kept]);
  });

  test('needs no SMA type', async () => {
    const site = await startApp();
    const { smaType: _, ...rest } = PERSON;
    expect((await post(site, rest)).statusCode).toBe(201);
    expect((await post(site, { ...PERSON, email: 'b@example.org', smaType: '' })).statusCode).toBe(
      201,
    );
    expect((await people(site)).map(({ smaType }) => smaType)).toEqual([null, null]);
  });

  test('of a known address is answered alike, and kept once', async () => {
    const site = await startApp();
    await post(site, PERSON);
    const again = await post(site, { ...PERSON, email: 'ANA@Example.org' });
    expect(again.statusCode).toBe(201);
    expect(again.json()).toEqual({ status: 'registered' });
    expect(await people(site)).toHaveLength(1);
  });

  test('lies in a file that only the server’s user can read, and in no log', async () => {
    const site = await startApp();
    await post(site, PERSON);
    expect(statSync(site.config.files.registrations).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(site.logged())).not.toContain('ana@');
  });
});

describe('a registration is refused', () => {
  const cases: [field: string, value: unknown, message: string][] = [
    ['firstName', 'A', 'First name must be at least 2 characters'],
    ['firstName', undefined, 'First name must be at least 2 characters'],
    ['firstName', ' A ', 'First name must be at least 2 characters'],
    ['lastName', 'S', 'Last name must be at least 2 characters'],
    ['lastName', 7, 'Last name must be at least 2 characters'],
    ['email', 'ana', 'Please enter a valid email address'],
    ['email', '', 'Please enter a valid email address'],
    ['email', undefined, 'Please enter a valid email address'],
    ['agreedToTerms', false, 'You must agree to the terms and conditions'],
    ['agreedToTerms', undefined, 'You must agree to the terms and conditions'],
    ['agreedToTerms', 'true', 'You must agree to the terms and conditions'],
  ];
  test.each(cases)(
    'for %s = %j with the specification’s message',
    async (field, value, message) => {
      const site = await startApp();
      const answer = await post(site, { ...PERSON, [field]: value });
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error).toEqual({
        code: 'validation_failed',
        message: 'Please check the marked fields.',
        fields: { [field]: message },
      });
      expect(await people(site)).toEqual([]);
    },
  );

  test('with one message for each of several fields', async () => {
    const site = await startApp();
    const answer = await post(site, {});
    expect(Object.keys(answer.json().error.fields).sort()).toEqual([
      'agreedToTerms',
      'email',
      'firstName',
      'lastName',
    ]);
  });

  test.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ])('from another site: %j', async (headers) => {
    const site = await startApp();
    expect((await post(site, PERSON, headers as Record<string, string>)).statusCode).toBe(403);
    expect(await people(site)).toEqual([]);
  });

  test('from too many at once', async () => {
    const site = await startApp({ env: { RATE_LIMIT_REGISTER: '1' } });
    await post(site, PERSON);
    const answer = await post(site, PERSON);
    expect(answer.statusCode).toBe(429);
    expect(answer.headers).toHaveProperty('retry-after');
  });
});

test('a registration from this site’s own page is taken', async () => {
  const site = await startApp();
  const own = { origin: 'https://site.example', host: 'site.example' };
  expect((await post(site, PERSON, own)).statusCode).toBe(201);
});

test('nothing internal is told when the registrations cannot be written', async () => {
  const site = await startApp();
  const lock = new DatabaseSync(site.config.files.registrations);
  lock.exec('DROP TABLE registrations');
  lock.close();
  const answer = await post(site, PERSON);
  expect(answer.statusCode).toBe(503);
  expect(answer.headers['retry-after']).toBe('10');
  expect(answer.json().error.message).toBe(
    'Your registration could not be saved. Please try again.',
  );
});
