import { describe, expect, test, vi } from 'vitest';
import { DATABASES, execute } from '../../helpers/server/databases.ts';
import { PERSON, postForm, postPerson, readPeople } from '../../helpers/server/registrations.ts';
import { type Site, startApp } from '../../helpers/server/server-app.ts';
import { makeFormDist } from '../../helpers/server/server-dist.ts';

const SPANISH = '/api/register?language=es';
const people = (site: Site) => readPeople(site.config);
const key = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;

describe.each(DATABASES)('on $name', ({ name, makeEnv }) => {
  test('a registration is kept; a known address gets the same answer in the same time, and is kept once', async () => {
    const env = await makeEnv();
    const first = await startApp({ env: { ...env, REGISTRATION_KEYS: key('old', 1) } });
    const answer = await postPerson(first);
    expect([answer.statusCode, answer.json()]).toEqual([201, { status: 'registered' }]);
    await first.close();
    // The hash of the address is made with the older key.
    const REGISTRATION_KEYS = `${key('new', 2)},${key('old', 1)}`;
    const { dataDir } = first.config;
    const site = await startApp({ env: { ...env, REGISTRATION_KEYS }, dataDir });
    const [known, other] = [['ANA@Example.org', 'ａｎａ＠example.org'], '  bo@example.org '];
    for (const email of [...known, other, other.trim()]) {
      const begun = performance.now();
      const again = await postPerson(site, { firstName: 'Somebody', email });
      expect(performance.now() - begun).toBeGreaterThan(95);
      expect([again.statusCode, again.body]).toEqual([201, answer.body]);
      expect(Object.keys(again.headers).sort()).toEqual(Object.keys(answer.headers).sort());
    }
    const { agreedToTerms: _, ...kept } = PERSON;
    expect(await people(site)).toEqual([
      kept,
      { ...kept, firstName: 'Somebody', email: 'bo@example.org' },
    ]);
    expect(await site.rows('SELECT id FROM mail_outbox')).toHaveLength(2);
  });

  test('an address that comes several times at the same moment, to each server, is kept once', async () => {
    const env = await makeEnv();
    const servers = name === 'SQLite' ? 1 : 2;
    const sites = await Promise.all(Array.from({ length: servers }, () => startApp({ env })));
    const answers = await Promise.all([...sites, ...sites].map((site) => postPerson(site)));
    for (const { statusCode } of answers) expect(statusCode).toBe(201);
    const [site] = sites as [Site];
    expect(await people(site)).toHaveLength(1);
    expect(await site.rows('SELECT id FROM mail_outbox')).toHaveLength(1);
  });

  test('while the table cannot be written the answer is 503, and reveals nothing internal', async () => {
    const site = await startApp({ env: await makeEnv() });
    await execute(site.config, 'ALTER TABLE registrations RENAME TO elsewhere');
    const answer = await postPerson(site);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '10']);
    expect(answer.json().error).toEqual({
      code: 'unavailable',
      message: 'Your registration could not be saved. Please try again.',
    });
    await execute(site.config, 'ALTER TABLE elsewhere RENAME TO registrations');
    expect((await postPerson(site)).statusCode).toBe(201);
  });
});

test('needs no SMA type, and may have an empty trap', async () => {
  const site = await startApp();
  const own = { origin: 'https://site.example', host: 'site.example' };
  for (const [parts, headers] of [
    [{ smaType: undefined }],
    [{ smaType: '', email: 'b@example.org' }],
    [{ message: '', email: 'c@example.org' }, own],
  ] as const)
    expect((await postPerson(site, parts, headers)).statusCode).toBe(201);
  expect((await people(site)).map(({ smaType }) => smaType)).toEqual([null, null, 'Type 2']);
});

const REFUSED: [field: string, values: unknown[], message: string][] = [
  ['firstName', ['A', undefined, ' A '], 'First name must be at least 2 characters'],
  ['lastName', ['S', 7], 'Last name must be at least 2 characters'],
  ['email', ['ana', '', undefined], 'Please enter a valid email address'],
  ['agreedToTerms', [false, undefined, 'true'], 'You must agree to the terms and conditions'],
  ['message', ['Buy'], 'Please empty the field “Message”: it is there to stop robots'],
];

test('refuses a wrong field, with the specification’s message', async () => {
  const site = await startApp({ env: { RATE_LIMIT: '0' } });
  const message = 'Please check the marked fields.';
  for (const [field, values, text] of REFUSED) {
    const fields = { [field]: text };
    for (const value of values) {
      const answer = await postPerson(site, { [field]: value });
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error).toEqual({ code: 'validation_failed', message, fields });
    }
  }
  expect(await people(site)).toEqual([]);
});

/** The longest parts that RFC 5321 and DNS allow. */
const LOCAL_64 = 'l'.repeat(64);
const LABEL_63 = 'd'.repeat(63);
const LONG_DOMAIN = [LABEL_63, LABEL_63, 'e'.repeat(57), 'org'].join('.');
const ADDRESSES = [
  'ana&bo@example.org',
  "!#$%&'*+/=?^_`{|}~-@example.org",
  "o'neil@example.museum",
  'a.b.c@example.org',
  `${LOCAL_64}@example.org`,
  `${LOCAL_64}@${LONG_DOMAIN}`,
  'ana@MÜLLER.example',
  'ana@straße.example',
  'ana@почта.рф',
  'ana@例え。jp',
  'ana@نامه\u200cای.example',
  'ana@xn--e1aybc.xn--p1ai',
  'ana@4chan.example',
  'ana@a-b--c.example',
];
const NO_ADDRESSES = [
  `${LOCAL_64}l@example.org`,
  `ana@${LABEL_63}d.org`,
  `ana@${'ü'.repeat(60)}.org`,
  `${LOCAL_64}@e${LONG_DOMAIN}`,
  'ana..bo@example.org',
  '.ana@example.org',
  'ana.@example.org',
  'ana bo@example.org',
  '"ana bo"@example.org',
  'ana@bo@example.org',
  'ana<b>@example.org',
  'ana@example',
  'ana@example..org',
  'ana@-example.org',
  'ana@example-.org',
  'ana@exam_ple.org',
  'ana@example.org.',
  'ana@example.o',
  'ana@example.c0m',
  'ana@192.0.2.1',
  'ana@[192.0.2.1]',
  'ana@0x7f.0x1',
  'ana@example.org:25',
  'ana@example.org/path',
  'ana@example.org?subject=x',
  'ana@exam%70le.org',
  'ana@exam\u200dple.org',
  'ana@exam\u202eple.org',
  'ana@i❤.example',
  'añá@example.org',
  '@example.org',
  'ana@',
];

test('takes each valid address as it was typed, and refuses what no mail reaches', async () => {
  const site = await startApp({ env: { RATE_LIMIT: '0' } });
  const statusOf = async (email: string) => [email, (await postPerson(site, { email })).statusCode];
  const answered = await Promise.all([...ADDRESSES, ...NO_ADDRESSES].map(statusOf));
  expect(answered).toEqual([
    ...ADDRESSES.map((email) => [email, 201]),
    ...NO_ADDRESSES.map((email) => [email, 400]),
  ]);
  const kept = (await people(site)).map(({ email }) => email);
  expect(kept.sort()).toEqual([...ADDRESSES].sort());
});

test('an address is known in each spelling of its domain', async () => {
  const site = await startApp();
  for (const email of [
    'ana@Bücher.example',
    'Ana@xn--bcher-kva.example',
    'ana@bu\u0308cher。example',
  ])
    expect((await postPerson(site, { email })).statusCode).toBe(201);
  expect((await people(site)).map(({ email }) => email)).toEqual(['ana@Bücher.example']);
});

test('refuses other sites, other languages, and too many, in the language of the page', async () => {
  const site = await startApp({ env: { RATE_LIMIT: '0' } });
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { host: 'site.example', origin: 'https://site.example.evil.example' },
  ])
    expect((await postPerson(site, {}, headers as never)).statusCode).toBe(403);
  for (const language of ['fr', '', 'toString', 'es&language=en']) {
    const answer = await postPerson(site, {}, {}, `/api/register?language=${language}`);
    expect([answer.statusCode, Object.keys(answer.json().error.fields)]).toEqual([
      400,
      ['language'],
    ]);
  }
  const foreign = await postPerson(site, {}, { origin: 'null' }, SPANISH);
  expect(foreign.json().error.message).toMatch(/^Este formulario solo/);
  expect(await people(site)).toEqual([]);
  const strict = await startApp({ env: { RATE_LIMIT: '1' } });
  // The minute stands still, also on a busy machine.
  vi.useFakeTimers({ toFake: ['Date'] });
  await postPerson(strict);
  const limited = await postPerson(strict, {}, {}, SPANISH);
  expect([limited.statusCode, Number(limited.headers['retry-after'])]).toEqual([429, 60]);
  expect(limited.json().error.message).toMatch(/^Hay demasiados envíos .* en \d+ s\.$/);
});

/** The page that answers a faulty form. tests/e2e/no-script.spec.ts shows the real page. */
test('a form without script gets a page in its language that lists each error once, and nothing that was typed', async () => {
  const site = await startApp({ env: { DIST_DIR: makeFormDist(), RATE_LIMIT: '10' } });
  const email = `"><script>alert('1')</script>`;
  const answer = await postForm(site, { firstName: 'A', lastName: 'Silva', email });
  expect(answer.statusCode).toBe(400);
  expect(answer.body).toContain('<html lang="en">');
  expect([...answer.body.matchAll(/<li>(.*?)<\/li>/g)].map(([, message]) => message)).toEqual([
    'First name must be at least 2 characters',
    'Please enter a valid email address',
    'You must agree to the terms and conditions',
  ]);
  expect(answer.body).not.toMatch(/<script>|\{\{/);
  const limited = await postForm(site, { firstName: 'A' });
  expect([limited.statusCode, limited.body]).toEqual([
    429,
    expect.stringContaining('<li>Too many'),
  ]);
});

test('a form without script registers with a ticked box alone, as it was typed; a page without the form takes none', async () => {
  const site = await startApp({ env: { DIST_DIR: makeFormDist(), RATE_LIMIT: '0' } });
  for (const box of ['off', 'false', '']) {
    const answer = await postForm(site, { ...PERSON, agreedToTerms: box }, SPANISH);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toMatch(/<html lang="es">.*<li>Debe aceptar/s);
  }
  const right = await postForm(site, { ...PERSON, agreedToTerms: 'on' }, SPANISH);
  expect([right.statusCode, right.body]).toEqual([201, expect.stringContaining('lang="es"')]);
  expect(await people(site)).toMatchObject([{ firstName: 'Ana', language: 'es' }]);
  const typed = {
    ...PERSON,
    agreedToTerms: 'on',
    firstName: 'Zoë + Ñu & 100%',
    email: 'zoe@b.org',
  };
  const [repeated, unusual] = [
    '&firstName=Bo&agreedToTerms=off',
    'Application/X-WWW-Form-URLEncoded ;a=b',
  ];
  const again = await site.app.inject({
    method: 'POST',
    url: SPANISH,
    payload: new URLSearchParams(typed) + repeated,
    headers: { 'content-type': unusual },
  });
  expect([again.statusCode, again.body]).toEqual([201, expect.stringContaining('lang="es"')]);
  expect(await people(site)).toMatchObject([{}, { firstName: typed.firstName }]);
  const tooLarge = await postForm(site, { ...typed, more: 'x'.repeat(9000) }, SPANISH);
  expect([tooLarge.statusCode, tooLarge.body]).toEqual([413, expect.stringContaining('lang="es"')]);
  const withoutForm = await startApp({ site: { registerForm: false } });
  expect((await postForm(withoutForm, { firstName: 'Ana' })).statusCode).toBe(415);
});
