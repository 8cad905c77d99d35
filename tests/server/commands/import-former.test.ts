/** `site import` of the files and tables of the version before. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { lockFolder } from '../../../server/lock-folder.ts';
import { readSettings } from '../../../server/settings.ts';
import { query } from '../../helpers/cluster/postgres.ts';
import { startSmtpServer } from '../../helpers/fakes/smtp-server.ts';
import { DATABASES } from '../../helpers/server/databases.ts';
import { EMAILS, formerLine, formerRows, formerTables } from '../../helpers/server/former-data.ts';
import { readMails, readPeople, register } from '../../helpers/server/registrations.ts';
import { afterImport, dist, report, runImport } from '../../helpers/server/run-import.ts';
import { makeDataDir, startApp } from '../../helpers/server/server-app.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
type Env = Record<string, string>;

describe.each(DATABASES)('on $name', ({ name, makeEnv }) => {
  test('ledgers are read, packed too, and each odd line is counted and named', async () => {
    const folder = makeDataDir();
    const write = (file: string, content: string | Buffer) => {
      writeFileSync(join(folder, file), content);
      return join(folder, file);
    };
    const { via: _, req_id: __, is_mobile: ___, ...older } = JSON.parse(formerLine());
    const forgotten = { id: v7(), event: 'lower_cta_click', is_bot: true };
    const at = {
      received_at: '2026-02-01T00:00:00.000Z',
      forgotten_at: '2026-02-02T00:00:00.000Z',
    };
    const cut = formerLine().slice(0, 200);
    const lines = [
      ...[formerLine({ private: true, ip: null, remote_ip: null }), 'x'.repeat(70_000), cut],
      ...[JSON.stringify({ ...forgotten, ...at }), '{"level":30,"msg":"203.0.113.9"}', '7'],
      ...[formerLine({ received_at: '2026-01-01T00:00:00.000Z' }), cut],
    ];
    const ledger = write('clicks.jsonl', lines.join('\n'));
    const packed = write('clicks.jsonl.1.gz', gzipSync(`${JSON.stringify(older)}\n`.repeat(1200)));
    const damaged = write('clicks.jsonl.2.gz', gzipSync(formerLine()).subarray(0, -20));
    const picture = write('picture.jpg', 'no click\n');
    const missing = join(folder, 'clicks.jsonl-20260131');
    const days = Math.ceil((Date.now() - Date.parse('2026-01-15')) / DAY_MS);
    const { out, err, code, start } = await afterImport(
      await makeEnv(),
      ...dist({ clickRetentionDays: days, logIp: 'truncated' }),
      ...[missing, damaged, picture, ledger, packed],
    );
    const named = [
      ...['2: longer than 64 kB', '3: not JSON, perhaps cut', '5: not a click: id is not valid'],
      ...['6: not a click: the line is not valid', '8: not JSON, perhaps cut'],
    ];
    expect(out).toContain(
      [`${ledger}\n`, report(8, 1, 0, 1, 1, 5), ...named.map((line) => `    line ${line}\n`)]
        .concat(`${packed}\n`, report(1200, 1, 1199, 0, 0, 0))
        .join(''),
    );
    expect(err.split('\n')).toEqual([
      expect.stringContaining(`${missing} cannot be read: ENOENT`),
      `${damaged} cannot be read: unexpected end of file`,
      `${picture} cannot be read: it has no line of a click.`,
      '',
    ]);
    expect(code).toBe(1);
    const { rows } = await start();
    const columns = 'id, event, received_at, forgotten_at, seq, via, is_mobile, ip';
    const stored = await rows(`SELECT ${columns} FROM clicks`);
    expect(stored).toHaveLength(3);
    expect(stored.find(({ id }) => id === older.id)).toMatchObject({
      ...{ forgotten_at: null, via: 'fetch', is_mobile: null, ip: '203.0.113.0' },
    });
    expect(stored.find(({ id }) => id === forgotten.id)).toEqual({
      ...{ id: forgotten.id, event: forgotten.event, received_at: Date.parse(at.received_at) },
      ...{ forgotten_at: Date.parse(at.forgotten_at), seq: null, via: 'fetch' },
      ...{ is_mobile: null, ip: null },
    });
  });

  test('the start names the command, which brings registrations and waiting mails, and starts then', async () => {
    const env = { ...(await makeEnv()), DATA_DIR: makeDataDir() };
    const { DATA_DIR: dataDir } = env;
    const rows = await formerRows(await makeEnv(), dataDir, (hex) => `x'${hex}'`);
    const former = new DatabaseSync(join(dataDir, 'registrations.sqlite'));
    former.exec(formerTables('BLOB', 'TEXT') + rows);
    former.close();
    writeFileSync(join(dataDir, 'clicks.jsonl'), `${formerLine()}\n`);
    const refused = await startApp({ env }).catch(({ message }) => message);
    const [, command] = /Import them: npm run -s site -- import (.+)/.exec(refused) ?? [];
    expect(command).toBe(`${dataDir}/clicks.jsonl* ${dataDir}/registrations.sqlite`);
    const paths = String(command).replace('*', '').split(' ');
    const unlock = lockFolder(join(dataDir, 'clicks.lock'));
    expect((await runImport(env, ...paths)).err).toContain('Another server has locked');
    unlock();
    const { out, code } = await runImport(env, ...paths);
    const counted = '  registrations read: 3\n  stored: 3\n  already there: 0\n';
    expect([code, out]).toEqual([0, expect.stringContaining(counted)]);

    const smtp = await startSmtpServer();
    const site = await startApp({ env: { ...env, SMTP_URL: smtp.url } });
    expect((await readPeople(site.config)).map(({ email }) => email)).toEqual(EMAILS);
    await expect.poll(() => readMails(site.config)).toEqual(['sent', 'sent', '550']);
    expect((await runImport(env, ...paths)).out).toContain('  stored: 0\n  already there: 3\n');
    expect(await readMails(site.config)).toEqual(['sent', 'sent', '550']);
    await register(site, 'ANA@example.org');
    expect(await readPeople(site.config)).toHaveLength(3);
    expect(smtp.received.map(({ envelope }) => envelope.to)).toEqual([['bo@example.org']]);
  });

  test.runIf(name === 'PostgreSQL')(
    "registrations of PostgreSQL's former tables move",
    async () => {
      const env: Env = { ...(await makeEnv()), DATA_DIR: makeDataDir() };
      const rows = await formerRows(await makeEnv(), String(env.DATA_DIR), (hex) => `'\\x${hex}'`);
      await query(String(env.DATABASE_URL), formerTables('BYTEA', 'TIMESTAMPTZ') + rows);
      const { out, code } = await runImport(env, '--registrations-from-postgres');
      expect([code, out]).toEqual([0, expect.stringContaining('  stored: 3\n')]);
      const settings = readSettings(env);
      expect((await readPeople(settings)).map(({ email }) => email)).toEqual(EMAILS);
      expect(await readMails(settings)).toEqual(['sent', 'waiting', '550']);
    },
  );
});
