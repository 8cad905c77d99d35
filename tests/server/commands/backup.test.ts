/**
 * The program itself, in a process of its own, and `site backup`. The other tests call the commands
 * in theirs.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUIDv7 } from 'node:crypto';
import { copyFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPostgres } from '../../helpers/run/find-programs.ts';
import { DATABASES } from '../../helpers/server/databases.ts';
import { readPeople, register } from '../../helpers/server/registrations.ts';
import { runSite } from '../../helpers/server/run-site.ts';
import { makeBody, makeDataDir, type Site, startApp } from '../../helpers/server/server-app.ts';

const PROGRAM = 'server/commands/site.ts';

test('its exit code and its two outputs are what scripts need, also when the reader of a pipe has ended', async () => {
  const site = await startApp();
  await register(site, 'ana@example.org');
  const env = { ...process.env, DATA_DIR: site.config.dataDir };
  const run = (...args: string[]) => {
    const asked = spawnSync(process.execPath, [PROGRAM, ...args], { env, encoding: 'utf8' });
    return [asked.status, asked.stdout, asked.stderr];
  };
  const list = expect.stringContaining('Registrations: 1\n');
  expect(run('registrations', 'list')).toEqual([0, list, '']);
  const absent = 'There is no registration with this address.\n';
  expect(run('registrations', 'delete', 'bo@example.org')).toEqual([1, '', absent]);
  expect(run('nonsense')).toEqual([1, '', expect.stringContaining('unknown command')]);
  const piped = `set -o pipefail; "${process.execPath}" ${PROGRAM} registrations list | true`;
  execFileSync('bash', ['-c', piped], { env });
});

const run = (site: Site, ...args: string[]) =>
  runSite(['backup', ...args], { DATA_DIR: site.config.dataDir });

const clicks = (site: Site, n: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: n }, async () => {
      const id = randomUUIDv7();
      await site.insistOnClick(makeBody({ id }));
      return id;
    }),
  );

test('a server on the restored file has each click from before the backup, and its registrations', async () => {
  const site = await startApp({ env: { RATE_LIMIT: '0' } });
  await register(site, 'ana@example.org');
  const before = [...(await clicks(site, 500)), ...(await clicks(site, 500))];
  const file = join(makeDataDir(), 'site.db');
  let isRunning = true;
  const running = run(site, '--to', file, '--with-keys').finally(() => {
    isRunning = false;
  });
  while (isRunning) await clicks(site, 20);
  const { out, code } = await running;
  expect(code).toBe(0);
  expect(out).toContain(`The backup is ${file}. It lacks the log files`);
  for (const made of [file, `${file}.keys`]) expect(statSync(made).mode & 0o777).toBe(0o600);
  await site.close();

  // As docs/operations.md says, over the files of a server that is stopped.
  const { files } = site.config;
  for (const ending of ['-wal', '-shm']) rmSync(`${files.database}${ending}`, { force: true });
  copyFileSync(file, files.database);
  copyFileSync(`${file}.keys`, files.registrationKeys);
  const restored = await startApp({ dataDir: site.config.dataDir });
  const rows = await restored.rows('SELECT id FROM clicks');
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(before));
  expect(await readPeople(restored.config)).toMatchObject([{ email: 'ana@example.org' }]);
  await clicks(restored, 1);
});

test('overwrites nothing, leaves no half of a backup, and says what it lacks', async () => {
  const site = await startApp();
  await register(site, 'ana@example.org');
  const folder = makeDataDir();
  const file = join(folder, 'site.db');
  expect((await run(site, '--to', file)).out).toContain('It lacks the keys, without which');
  const again = await run(site, '--to', file);
  expect(again).toMatchObject({ code: 1, err: `${file} exists already: name another file.\n` });
  rmSync(site.config.files.registrationKeys);
  const failed = await run(site, '--to', join(folder, 'other.db'), '--with-keys');
  expect([failed.code, failed.err]).toEqual([1, expect.stringContaining('registrations.keys')]);
  expect(readdirSync(folder)).toEqual(['site.db']);
});

test.skipIf(!findPostgres())('with PostgreSQL it prints the line that does it', async () => {
  const env = await DATABASES.find(({ name }) => name === 'PostgreSQL')?.makeEnv();
  const site = await startApp({ env: env ?? {} });
  const file = join(site.config.dataDir, 'site.dump');
  const url = String(env?.DATABASE_URL).replace('site@', 'site:secret@');
  const { err, code } = await runSite(['backup', '--to', file], { ...env, DATABASE_URL: url });
  expect(code).toBe(1);
  expect(err).not.toContain('secret');
  const inShell = (text: string) =>
    execFileSync('/bin/sh', ['-c', text], {
      env: { PATH: String(findPostgres()) },
      encoding: 'utf8',
    });
  inShell(err.split('\n')[1] ?? '');
  expect(inShell(`pg_restore --list '${file}'`)).toContain('TABLE DATA site clicks');
});
