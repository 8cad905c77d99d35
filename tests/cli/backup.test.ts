/** `npm run backup` and `npm run restore`, with folders that a real server writes. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { dataFiles } from '../../server/data-files.ts';
import { openReceipts } from '../../server/posthog/receipts/open-receipts.ts';
import { postClick } from '../helpers/server/post-click.ts';
import { makeReceipt } from '../helpers/server/receipt-store-contract.ts';
import { readPeople } from '../helpers/server/registrations.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { makeBody, makeDataDir, startApp } from '../helpers/server/server-app.ts';
import { expectKept, readTotal } from '../helpers/server/server-check.ts';
import { makeFormDist } from '../helpers/server/server-dist.ts';
import { makeLoad, startLoad, untilAcked } from '../helpers/server/server-load.ts';
import { type ServerProcess, startServer, storedIds } from '../helpers/server/server-process.ts';

const RECEIPT = makeReceipt();

const modeOf = (path: string) => statSync(path).mode & 0o777;

const backup = (dataDir: string, to: string, ...args: string[]) =>
  runCli('backup.ts', ['--to', to, ...args], { DATA_DIR: dataDir });
const restore = (from: string, dataDir: string) =>
  runCli('restore.ts', ['--from', from], { DATA_DIR: dataDir });

/** Registers one address after the other. @returns the confirmed addresses, and a function that stops */
function startRegistering({ url }: ServerProcess) {
  const confirmed: string[] = [];
  let running = true;
  let count = 0;
  const client = async () => {
    while (running) {
      const email = `person-${count++}@example.org`;
      const answer = await fetch(`${url}/api/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ firstName: 'Ana', lastName: 'Silva', email, agreedToTerms: true }),
      });
      expect(answer.status).toBe(201);
      confirmed.push(email);
    }
  };
  const clients = Promise.all(Array.from({ length: 4 }, client));
  const stop = async () => {
    running = false;
    await clients;
  };
  return { confirmed, stop };
}

test('a backup made under load, restored, has every click and registration confirmed before it, once', async () => {
  const env = { DIST_DIR: makeFormDist(), RATE_LIMIT_REGISTER: '0' };
  const server = await startServer({ env });
  const load = makeLoad();
  const stopLoad = startLoad(server.url, load);
  const people = startRegistering(server);
  await expect.poll(() => people.confirmed.length, { timeout: 60_000 }).toBeGreaterThan(10);
  await untilAcked(load, 500);
  const before = { clicks: new Set(load.acked), people: [...people.confirmed] };

  const folder = join(makeDataDir(), 'backup');
  const running = backup(server.dataDir, folder, '--with-keys');
  renameSync(server.ledger, `${server.ledger}-20260131`);
  server.child.kill('SIGHUP');
  const made = await running;
  expect(made).toMatchObject({ code: 0, err: '' });
  await untilAcked(load, 100);
  await stopLoad();
  await people.stop();
  await server.stop('SIGKILL');

  const dataDir = join(makeDataDir(), 'restored');
  const restored = await restore(folder, dataDir);
  expect(restored).toMatchObject({ code: 0, err: '' });
  const again = await startServer({ dataDir, env });
  const stored = await expectKept(again.ledger, { ...load, acked: before.clicks });
  expect(await readTotal(again.url)).toBe(stored);
  const kept = (await readPeople(readConfig({ DATA_DIR: dataDir }))).map(({ email }) => email);
  expect(new Set(kept).size).toBe(kept.length);
  expect(before.people.filter((email) => !kept.includes(email))).toEqual([]);
  // Later clicks are missing. Otherwise the backup could have been a copy of the final state.
  expect(stored).toBeLessThan(load.acked.size);
}, 120_000);

/** Folders that tests copy, because a server and a command for each test cost most of this file's time. */
const originals = mkdtempSync(join(tmpdir(), 'originals-'));
afterAll(() => rmSync(originals, { recursive: true, force: true }));

/** @param make called once for the original @returns a copy with the same permissions and times */
async function copyOf(name: string, make: () => Promise<string>): Promise<string> {
  const [original, copy] = [join(originals, name), makeDataDir()];
  const options = { recursive: true, preserveTimestamps: true };
  if (!existsSync(original)) cpSync(await make(), original, options);
  cpSync(original, copy, options);
  return copy;
}

/** @returns the folder of a server, which has ended */
async function makeData() {
  const dataDir = await copyOf('data', serveOnce);
  return { dataDir, files: dataFiles(dataDir) };
}

/** @returns a backup of such a folder */
const makeBackup = () =>
  copyOf('backup', async () => {
    const folder = join(makeDataDir(), 'backup');
    expect((await backup((await makeData()).dataDir, folder)).code).toBe(0);
    return folder;
  });

/** Makes a folder with a server: two clicks, one of them in a rotated ledger, a rejected body, a registration, its mail. */
async function serveOnce(): Promise<string> {
  const site = await startApp();
  const { files, dataDir } = site.config;
  await postClick(site, makeBody());
  renameSync(files.ledger, `${files.ledger}-20260131`);
  await site.data.recorder.reopen();
  await postClick(site, makeBody());
  await postClick(site, makeBody({ event: 'none' }));
  const payload = { firstName: 'Ana', lastName: 'Silva', email: 'ana@example.org' };
  await site.app.inject({
    method: 'POST',
    url: '/api/register',
    payload: { ...payload, agreedToTerms: true },
  });
  await expect.poll(() => existsSync(files.mail) && readdirSync(files.mail)).toHaveLength(1);
  await site.close();
  const receipts = await openReceipts({ databaseUrl: null, files });
  await receipts.record([RECEIPT]);
  await receipts.close();
  const packed = `${files.ledger}-20260131`;
  writeFileSync(`${packed}.gz`, gzipSync(readFileSync(packed)), { mode: 0o640 });
  rmSync(packed);
  return dataDir;
}

describe('a backup', () => {
  test('lists its files with sizes, lines and checksums, and keeps their permissions', async () => {
    const { dataDir } = await makeData();
    const folder = join(makeDataDir(), 'backup');
    const { code, out } = await backup(dataDir, folder);
    expect(code).toBe(0);
    expect(out).toContain('2 lines of clicks, 1 registrations');
    const manifest = JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8'));
    const facts = manifest.files.map(({ name, lines, mode }: Record<string, unknown>) => [
      String(name).replace(/[0-9a-f-]{36}/, 'ID'),
      lines,
      mode,
    ]);
    expect(facts).toEqual([
      ['clicks.jsonl', 1, 0o640],
      ['clicks.jsonl-20260131.gz', 1, 0o640],
      ['mail/ID.eml', null, 0o600],
      ['posthog.sqlite', null, 0o600],
      ['refused.jsonl', 1, 0o640],
      ['registrations.sqlite', null, 0o600],
      ['site.sqlite', null, 0o600],
    ]);
    expect(manifest).toMatchObject({
      format: 1,
      database: 'sqlite',
      registrations: { count: 1, keys: 'left out' },
      versions: { node: process.versions.node },
    });
    expect(modeOf(folder)).toBe(0o700);
    expect(modeOf(join(folder, 'backup.json'))).toBe(0o600);
  });

  test('has the keys only with --with-keys, and names the needed keys', async () => {
    const { dataDir, files } = await makeData();
    const id = readFileSync(files.registrationKeys, 'utf8').split(':')[0];
    const [without, withKeys] = [join(makeDataDir(), 'a'), join(makeDataDir(), 'b')];
    const left = await backup(dataDir, without);
    expect(readdirSync(without)).not.toContain('registrations.keys');
    expect(left.out).toContain(`Only the key "${id}" decrypts the registrations.`);

    await backup(dataDir, withKeys, '--with-keys');
    expect(modeOf(join(withKeys, 'registrations.keys'))).toBe(0o600);

    const target = join(makeDataDir(), 'data');
    const restored = await restore(without, target);
    expect(restored.out).toContain(`Missing: the keys of 1 registrations. Copy registrations.keys`);
    expect(restored.out).toContain(`"${id}"`);
    writeFileSync(join(target, 'registrations.keys'), readFileSync(files.registrationKeys));
    expect(await readPeople(readConfig({ DATA_DIR: target }))).toHaveLength(1);
  });

  test('has the receipts, and a restore puts them back', async () => {
    const [folder, target] = [await makeBackup(), join(makeDataDir(), 'data')];
    await restore(folder, target);
    const restored = await openReceipts(readConfig({ DATA_DIR: target }));
    expect([...(await restored.find([RECEIPT.uuid])).values()]).toEqual([RECEIPT]);
    await restored.close();
    const again = await restore(folder, target);
    expect(again.err).toContain('posthog.sqlite');
  });

  test('ends with the last complete line of a ledger', async () => {
    const { dataDir, files } = await makeData();
    const whole = readFileSync(files.ledger, 'utf8');
    writeFileSync(files.ledger, `${whole}{"level":30,"id":"`);
    const folder = join(makeDataDir(), 'backup');
    await backup(dataDir, folder);
    expect(readFileSync(join(folder, 'clicks.jsonl'), 'utf8')).toBe(whole);
  });

  test('leaves out a damaged index', async () => {
    const { dataDir, files } = await makeData();
    writeFileSync(files.clickIndex, 'x'.repeat(100_000));
    const folder = join(makeDataDir(), 'backup');
    const { code, out } = await backup(dataDir, folder);
    expect(code).toBe(0);
    expect(out).toContain('site.sqlite is damaged and was left out');
    const target = join(makeDataDir(), 'data');
    expect((await restore(folder, target)).out).toContain('There is no click index in the backup');
  });

  test('says that PostgreSQL needs pg_dump', async () => {
    const { dataDir } = await makeData();
    const folder = join(makeDataDir(), 'backup');
    const secret = Buffer.alloc(32, 1).toString('base64');
    const { code, out } = await runCli('backup.ts', ['--to', folder], {
      DATA_DIR: dataDir,
      DATABASE_URL: 'postgres://site@127.0.0.1:1/site',
      REGISTRATION_KEYS: `a:${secret}`,
    });
    expect(code).toBe(0);
    expect(out).toContain('The registrations are in PostgreSQL and not in this backup');
    expect(out).toContain('pg_dump');
    expect(readdirSync(folder)).not.toContain('registrations.sqlite');
  });

  test.each([
    ['no folder', [], 2, '--to must name the folder'],
    ['a folder with something in it', ['--to', 'FULL'], 1, 'is not empty'],
    ['a folder inside the data', ['--to', 'INSIDE'], 2, '--to must name a folder outside'],
  ])('is refused for %s', async (_what, args, code, message) => {
    const { dataDir } = await makeData();
    const full = makeDataDir();
    writeFileSync(join(full, 'mine'), 'kept');
    const names: Record<string, string> = { FULL: full, INSIDE: join(dataDir, 'backup') };
    const { err, ...ended } = await runCli(
      'backup.ts',
      args.map((arg) => names[arg] ?? arg),
      { DATA_DIR: dataDir },
    );
    expect(ended.code).toBe(code);
    expect(err).toContain(message);
    expect(readFileSync(join(full, 'mine'), 'utf8')).toBe('kept');
  });

  test('leaves an empty folder when it fails', async () => {
    const { dataDir, files } = await makeData();
    writeFileSync(files.registrations, 'x'.repeat(100_000));
    const folder = join(makeDataDir(), 'backup');
    expect((await backup(dataDir, folder)).code).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a restore', () => {
  test('restores the files unchanged, in their order', async () => {
    const { dataDir, files } = await makeData();
    chmodSync(files.ledger, 0o600);
    const [folder, target] = [join(makeDataDir(), 'backup'), join(makeDataDir(), 'data')];
    await backup(dataDir, folder, '--with-keys');
    await restore(folder, target);
    for (const name of ['clicks.jsonl', 'clicks.jsonl-20260131.gz', 'refused.jsonl']) {
      const [was, is] = [join(dataDir, name), join(target, name)];
      expect(readFileSync(is)).toEqual(readFileSync(was));
      expect(modeOf(is)).toBe(modeOf(was));
      expect(Math.abs(statSync(is).mtimeMs - statSync(was).mtimeMs)).toBeLessThan(1);
    }
    expect(await storedIds(join(target, 'clicks.jsonl'))).toEqual(await storedIds(files.ledger));
    expect(readdirSync(join(target, 'mail'))).toEqual(readdirSync(files.mail));
    const again = await startApp({ dataDir: target });
    expect((await again.app.inject('/api/stats')).json().clicks.total).toBe(2);
  });

  test('changes nothing in a folder with data', async () => {
    const { dataDir, files } = await makeData();
    const folder = await makeBackup();
    const before = readFileSync(files.ledger);
    const { code, err } = await restore(folder, dataDir);
    expect(code).toBe(1);
    expect(err).toMatch(/has data already \(.*clicks\.jsonl.*\)\. Move it away/);
    expect(readFileSync(files.ledger)).toEqual(before);
  });

  test('refuses while the server runs', async () => {
    const folder = await makeBackup();
    const site = await startApp();
    const { code, err } = await restore(folder, site.config.dataDir);
    expect(code).toBe(1);
    expect(err).toContain('A server runs on');
  });

  test.each<[string, (folder: string) => void, RegExp]>([
    [
      'a changed file',
      (folder) => writeFileSync(join(folder, 'clicks.jsonl'), `{"x":1}\n`),
      /clicks\.jsonl has 8 bytes, not \d+/,
    ],
    [
      'a changed byte',
      (folder) => {
        const file = join(folder, 'registrations.sqlite');
        const bytes = readFileSync(file);
        bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
        writeFileSync(file, bytes);
      },
      /registrations\.sqlite has another SHA-256/,
    ],
    [
      'a missing file',
      (folder) => rmSync(join(folder, 'refused.jsonl')),
      /refused\.jsonl is missing/,
    ],
    [
      'a missing list of files',
      (folder) => rmSync(join(folder, 'backup.json')),
      /is not a backup, or the backup is incomplete/,
    ],
    [
      'a list that names a file elsewhere',
      (folder) => {
        const file = join(folder, 'backup.json');
        writeFileSync(file, readFileSync(file, 'utf8').replace('"refused.jsonl"', '"../evil"'));
      },
      /files\.\d+\.name must be the name of a file in the data folder/,
    ],
  ])('refuses %s, and writes nothing', async (_what, spoil, message) => {
    const [folder, target] = [await makeBackup(), makeDataDir()];
    spoil(folder);
    const { code, err } = await restore(folder, target);
    expect(code).toBe(1);
    expect(err).toMatch(message);
    expect(readdirSync(target)).toEqual([]);
  });

  test('removes the files it wrote when it fails half way', async () => {
    const [folder, target] = [await makeBackup(), makeDataDir()];
    // The restore cannot make the folder of mails; it copies the ledger's files before.
    symlinkSync(join(target, 'nowhere', 'at all'), join(target, 'mail'));
    const { code } = await restore(folder, target);
    expect(code).toBe(1);
    expect(readdirSync(target).sort()).toEqual(['clicks.lock', 'mail']);
  });
});
