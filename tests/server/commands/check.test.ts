/** `site check`, with real sockets, databases and builds. */
import { existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSmtpServer } from '../../helpers/fakes/smtp-server.ts';
import { DATABASES, execute } from '../../helpers/server/databases.ts';
import { freePort, startLocalServer } from '../../helpers/server/local-server.ts';
import { testCapture } from '../../helpers/server/posthog-site.ts';
import { register } from '../../helpers/server/registrations.ts';
import { runSite } from '../../helpers/server/run-site.ts';
import { makeDataDir, startApp } from '../../helpers/server/server-app.ts';
import { makeDist } from '../../helpers/server/server-dist.ts';

const QUIET = { posthogKey: null, ipLookupOrigin: null };
const nowhere = async () => `127.0.0.1:${await freePort()}`;
const KEYS = { REGISTRATION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}` };

/** @param env without DATA_DIR: a new folder */
const check = (site: Parameters<typeof makeDist>[0], env = {}, ...args: string[]) =>
  runSite(['check', '--build', makeDist(site), ...args], { DATA_DIR: makeDataDir(), ...env });

test('without a fault it says where the data is, and what is on; it starts nothing and writes nothing', async () => {
  const smtp = await startSmtpServer({ users: { site: 'right' } });
  const { url: posthogHost } = await testCapture();
  const DATA_DIR = join(makeDataDir(), 'new');
  const keys = { POSTHOG_PROJECT_ID: '7', POSTHOG_PERSONAL_KEY: 'phx_test' };
  const SMTP_URL = `smtp://site:right@127.0.0.1:${smtp.port}`;
  const { code, out, err } = await check({ posthogHost }, { DATA_DIR, SMTP_URL, ...keys });
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain(`Data in ${DATA_DIR}, with SQLite. On: PostHog, mail, limits. Off: form,`);
  expect(out).toMatch(/\nNo faults\.\n$/);
  expect(existsSync(DATA_DIR)).toBe(false);
  expect(smtp.received).toEqual([]);
  const other = await check({ posthogHost }, { ...keys, POSTHOG_PERSONAL_KEY: 'phx_other' });
  expect(other.err).toContain('Set POSTHOG_PERSONAL_KEY');
});

test('says in one sentence that a PostHog has no Capture V1, and sends it no event', async () => {
  const { url: posthogHost, play, requests } = await testCapture();
  play({ status: 404, body: 'Not Found' });
  const { code, err } = await check({ posthogHost });
  expect([code, err.trimEnd()]).toEqual([
    1,
    `${posthogHost} has no Capture V1 (404 for /i/v1/analytics/events), so it is not the host that takes events, or a PostHog that does not serve it.`,
  ]);
  expect(requests.map(({ path, body }) => [path, body])).toEqual([
    ['/i/v1/analytics/events', '{}'],
  ]);
});

test('names all faults at once, each with its remedy and without a password', async () => {
  const [smtp, posthog, database, url] = await Promise.all([1, 2, 3, 4].map(nowhere));
  const file = join(makeDataDir(), 'file');
  writeFileSync(file, 'no folder');
  const env = {
    REGISTRATION_KEYS: '2026a:hunter2',
    DATA_DIR: file,
    SMTP_URL: `smtp://user:hunter2%@${smtp}`,
    DATABASE_URL: `postgres://user:hunter2@${database}/site`,
    RATE_LIMTI: '8',
  };
  const site = {
    posthogHost: `http://${posthog}`,
    portalHost: null,
    exampleKeys: ['productName', 'operator'],
    exampleNames: ['Larkspur Road Fund', 'Elena Marchetti'],
  };
  const { code, err } = await check(site, env, '--url', `http://${url}/`);
  expect(code).toBe(1);
  expect(err.replaceAll(file, 'FILE').trimEnd().split('\n')).toEqual([
    'RATE_LIMTI is not a variable of this project. Is RATE_LIMIT meant?',
    'DATA_DIR (FILE) is a file, or is below one. Name a folder.',
    expect.stringMatching(/^REGISTRATION_KEYS must be a list of id:secret, (?!.*hunter2)/),
    `PostgreSQL (${database}/site): it refuses connections. Start it, or correct DATABASE_URL.`,
    `The SMTP server (${smtp}): it refuses connections. Start it, or correct SMTP_URL.`,
    `PostHog (http://${posthog}): it refuses connections. Start it, or correct posthogHost in site.json.`,
    `The site (http://${url}): it refuses connections. Start it, or correct --url.`,
    "site.json still has the example's productName, operator. Replace them, and build again.",
    'The pages still have invented names: Larkspur Road Fund, Elena Marchetti. Correct those sentences in words/, and build again.',
    expect.stringContaining('Set portalHost, privacyUrl and termsUrl in site.json.'),
  ]);
});

test('a missing build, a wrong setting, a service that never answers, a host that does not exist, a wrong password', async () => {
  const missing = await runSite(['check', '--build', '/nowhere'], { DATA_DIR: makeDataDir() });
  expect([missing.code, missing.err]).toEqual([
    1,
    expect.stringContaining('There is no complete build in /nowhere.'),
  ]);
  const settings = await check(QUIET, { PORT: 'x', ADMIN_PASSWORD: 'hunter2' });
  expect(settings.err).toContain('PORT must be');
  expect(settings.err).toContain('ADMIN_PASSWORD must have at least 12 characters');
  expect(settings.out + settings.err).not.toContain('hunter2');
  const lost = await check(QUIET, { SMTP_URL: 'smtp://mail.invalid' });
  expect(lost.err).toContain('The SMTP server (mail.invalid): there is no such host.');
  const smtp = await startSmtpServer({ users: { site: 'right' } });
  const wrong = await check(QUIET, { SMTP_URL: `smtp://site:hunter2@127.0.0.1:${smtp.port}` });
  expect(wrong.err).toContain('it refuses the user or the password. Correct SMTP_URL.\n');
  expect(wrong.out + wrong.err).not.toContain('hunter2');
  // An HTTP server waits for the client's first word, as the client does for that of an SMTP
  // server.
  const silent = await startLocalServer(() => {});
  onTestFinished(silent.close);
  const never = await check(QUIET, { SMTP_URL: `smtp://127.0.0.1:${silent.port}` });
  expect([never.code, never.err]).toEqual([1, expect.stringContaining(': it does not answer. ')]);
});

test('a damaged file of SQLite is named; a good one gets no files beside it', async () => {
  const { config, close } = await startApp();
  await close();
  const DATA_DIR = config.dataDir;
  const before = readdirSync(DATA_DIR);
  expect(await check(QUIET, { DATA_DIR })).toMatchObject({ code: 0, err: '' });
  expect(readdirSync(DATA_DIR)).toEqual(before);
  truncateSync(config.files.database, 8192);
  const { code, err } = await check(QUIET, { DATA_DIR });
  expect([code, err]).toEqual([1, expect.stringMatching(/site\.db is damaged \(.*\)\. Restore/)]);
  await expect(startApp({ env: { DATA_DIR } })).rejects.toThrow('site.db is damaged (');
});

describe.each(DATABASES)('$name', ({ makeEnv }) => {
  test('missing keys of registrations, and missing rights, are named as at a start', async () => {
    const env = await makeEnv();
    const site = await startApp({ env });
    await register(site, 'ana@example.org');
    const options = { ...env, DATA_DIR: site.config.dataDir };
    expect(await check(QUIET, options)).toMatchObject({ code: 0, err: '' });
    const other = { REGISTRATION_KEYS: KEYS.REGISTRATION_KEYS.replace('k1', 'other') };
    expect((await check(QUIET, { ...options, ...other })).err).toContain('encrypted with the key');
    if (!env.DATABASE_URL) return;
    await execute(site.config, 'CREATE ROLE weak LOGIN');
    const DATABASE_URL = env.DATABASE_URL.replace('site@', 'weak@');
    expect((await check(QUIET, { ...env, DATABASE_URL })).err).toContain(': permission denied');
  });

  test('a user who may only read, and a database that is read-only, are named, and nothing is written', async () => {
    const env = await makeEnv();
    if (!env.DATABASE_URL) return;
    const { config, rows } = await startApp({ env });
    const role = `reader_${new URL(env.DATABASE_URL).pathname.slice(1)}`;
    await execute(config, `CREATE ROLE ${role} LOGIN; GRANT USAGE ON SCHEMA site TO ${role}`);
    await execute(config, `GRANT SELECT ON ALL TABLES IN SCHEMA site TO ${role}`);
    const DATABASE_URL = env.DATABASE_URL.replace('site@', `${role}@`);
    const { err } = await check(QUIET, { ...env, DATABASE_URL });
    expect(err).toContain('permission denied for table clicks. Check DATABASE_URL and the user');
    await expect(startApp({ env: { ...env, DATABASE_URL } })).rejects.toThrow(err.trim());
    await execute(config, `ALTER ROLE ${role} SET default_transaction_read_only = on`);
    expect((await check(QUIET, { ...env, DATABASE_URL })).err).toContain(' is read-only.\n');
    expect(await rows('SELECT id FROM clicks')).toEqual([]);
  });

  test('a running site keeps one click, which no figure counts', async () => {
    const env = await makeEnv();
    const site = await startApp({ env });
    const url = await site.app.listen({ port: 0, host: '127.0.0.1' });
    const options = { ...env, DATA_DIR: site.config.dataDir };
    expect(await check(QUIET, options, '--url', url)).toMatchObject({ code: 0, err: '' });
    expect(site.lines()).toMatchObject([{ is_bot: true, page_url: `${url}/` }]);
    const counted = await site.rows('SELECT n FROM click_counts WHERE NOT is_bot AND n <> 0');
    expect(counted).toEqual([]);
    expect(await site.rows('SELECT uuid FROM posthog_outbox')).toEqual([]);
  });
});

test('--url says what came instead of the answer `logged`', async () => {
  const moved = { location: 'https://site.example/' };
  const other = await startLocalServer((_, answer) => answer.writeHead(308, moved).end('Moved'));
  onTestFinished(other.close);
  const url = `http://127.0.0.1:${other.port}`;
  const { code, err } = await check(QUIET, {}, '--url', url);
  const came = 'did not answer a click with "logged", but with 308 to https://site.example/ Moved';
  expect([code, err]).toEqual([1, `The site (${url}) ${came}\n`]);
});
