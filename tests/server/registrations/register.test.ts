import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { readPeople } from '../../helpers/server/registrations.ts';
import { startApp } from '../../helpers/server/server-app.ts';
import { makeFormDist } from '../../helpers/server/server-dist.ts';

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

  test.each(['ANA@Example.org', '  ana@example.org ', 'ａｎａ＠example.org'])(
    'of a known address, written %s, gets the same answer, and is kept once',
    async (email) => {
      const site = await startApp();
      const first = await post(site, PERSON);
      const again = await post(site, { ...PERSON, firstName: 'Somebody', email });
      expect(again.statusCode).toBe(201);
      expect(again.body).toBe(first.body);
      const names = ({ headers }: typeof first) => Object.keys(headers).sort();
      expect(names(again)).toEqual(names(first));
      expect(await people(site)).toMatchObject([{ firstName: 'Ana' }]);
    },
  );

  test('takes the same time for a known and a new address', async () => {
    const site = await startApp({ env: { RATE_LIMIT: '0' } });
    const time = async (email: string) => {
      const start = performance.now();
      await post(site, { ...PERSON, email });
      return performance.now() - start;
    };
    await time('warm-up@example.org');
    const fresh = await Promise.all([1, 2, 3].map((n) => time(`fresh-${n}@example.org`)));
    const known = await Promise.all([1, 2, 3].map((n) => time(`fresh-${n}@example.org`)));
    for (const ms of [...fresh, ...known]) expect(ms).toBeGreaterThan(95);
  });

  test('may have the fields that the site’s own form adds', async () => {
    const site = await startApp();
    expect((await post(site, { ...PERSON, message: '', filledMs: 2000 })).statusCode).toBe(201);
    expect(await people(site)).toHaveLength(1);
  });

  test('is accepted as JSON also without the form on the page, and as a form only with it', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const site = await startApp({ site: { registerForm: false } });
    expect((await post(site, PERSON)).statusCode).toBe(201);
    const answer = await site.app.inject({
      method: 'POST',
      url: '/api/register',
      headers: form,
      payload: 'firstName=Ana',
    });
    expect(answer.statusCode).toBe(415);
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
    ['message', 'Buy', 'Please empty the field “Message”: it is there to stop robots'],
    ['filledMs', 1999, 'That was very quick. Please send it again'],
    ['filledMs', '9999', 'That was very quick. Please send it again'],
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

  test('over the rate limit', async () => {
    const site = await startApp({ env: { RATE_LIMIT: '1' } });
    await post(site, PERSON);
    const answer = await post(site, PERSON);
    expect(answer.statusCode).toBe(429);
    expect(answer.headers).toHaveProperty('retry-after');
  });
});

describe('a registration from a Spanish page', () => {
  const spanish = (site: Site, payload: object, headers: Record<string, string> = {}) =>
    site.app.inject({ method: 'POST', url: '/api/register?language=es', payload, headers });

  test('is kept with its language, and answered as any other', async () => {
    const site = await startApp();
    const answer = await spanish(site, PERSON);
    expect([answer.statusCode, answer.json()]).toEqual([201, { status: 'registered' }]);
    expect(await people(site)).toMatchObject([{ firstName: 'Ana', language: 'es' }]);
  });

  test('is refused in Spanish, field by field', async () => {
    const site = await startApp();
    const answer = await spanish(site, { message: 'Buy', filledMs: 1 });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toEqual({
      code: 'validation_failed',
      message: 'Revise los campos marcados.',
      fields: {
        firstName: 'El nombre debe tener al menos 2 letras',
        lastName: 'El apellido debe tener al menos 2 letras',
        email: 'Escriba una dirección de correo electrónico válida',
        agreedToTerms: 'Debe aceptar los términos y condiciones',
        message: 'Deje vacío el campo “Mensaje”: está ahí para detener a los robots',
        filledMs: 'Eso fue muy rápido. Envíelo otra vez',
      },
    });
  });

  test('over the rate limit, or from another site, is refused in Spanish', async () => {
    const site = await startApp({ env: { RATE_LIMIT: '1' } });
    const foreign = await spanish(site, PERSON, { origin: 'https://evil.example' });
    expect(foreign.json().error.message).toMatch(/^Este formulario solo/);
    await spanish(site, PERSON);
    const limited = await spanish(site, PERSON);
    expect(limited.statusCode).toBe(429);
    expect(limited.json().error.message).toMatch(/^Hay demasiados envíos .* en \d+ s\.$/);
  });

  test('sent as a form gets pages in Spanish, with their messages', async () => {
    const site = await startApp({ env: { DIST_DIR: makeFormDist() } });
    const send = (url: string, payload: string) =>
      site.app.inject({
        method: 'POST',
        url,
        payload,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    const wrong = await send('/api/register?language=es', 'firstName=A');
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain('<html lang="es">');
    expect(wrong.body).toContain(
      '<a href="#register-firstName">El nombre debe tener al menos 2 letras</a>',
    );
    expect(wrong.body).not.toMatch(/must|Please/);
    const fields = new URLSearchParams({ ...PERSON, agreedToTerms: 'on' });
    const right = await send('/api/register?language=es', String(fields));
    expect([right.statusCode, right.body]).toEqual([201, expect.stringContaining('lang="es"')]);
    const english = await send('/api/register', 'firstName=A');
    expect(english.body).toContain('<html lang="en">');
    expect(english.body).toContain(
      '<a href="#register-firstName">First name must be at least 2 characters</a>',
    );
  });

  test.each(['off', 'false', ''])('is refused if its box says “%s”', async (box) => {
    const site = await startApp({ env: { DIST_DIR: makeFormDist() } });
    const answer = await site.app.inject({
      method: 'POST',
      url: '/api/register',
      payload: String(new URLSearchParams({ ...PERSON, agreedToTerms: box })),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('You must agree to the terms and conditions');
    expect(await people(site)).toEqual([]);
  });

  test.each(['fr', '', 'toString', 'es&language=en'])(
    'is refused for the language “%s”, and nothing is kept',
    async (language) => {
      const site = await startApp();
      const url = `/api/register?language=${language}`;
      const answer = await site.app.inject({ method: 'POST', url, payload: PERSON });
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error.fields).toHaveProperty('language');
      expect(await people(site)).toEqual([]);
    },
  );
});

test('accepts a registration from this site’s own page', async () => {
  const site = await startApp();
  const own = { origin: 'https://site.example', host: 'site.example' };
  expect((await post(site, PERSON, own)).statusCode).toBe(201);
});

test('the answer reveals nothing internal when the registrations cannot be written', async () => {
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
