/** Another program deletes, empties or replaces the ledger of a server that is stopped or runs. The operator is told, until it is repaired. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { newId } from '../../server/database/new-id.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { startMetered } from '../helpers/server/scrape.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { sendClick } from '../helpers/server/server-load.ts';

type Server = Awaited<ReturnType<typeof startMetered>>;

const FIGURES = ['site_ledger_changes_total', 'site_ledger_incomplete'];
const ADVICE = /bring the missing lines back.*clicks -- verify/i;

async function sendClicks({ url }: Server, count: number) {
  for (let n = 0; n < count; n += 1) expect(await sendClick(url, newId())).toBe(200);
}

/** The health, the figures of the ledger's changes, and the errors in the log. */
async function look(server: Server) {
  const answer = await fetch(`${server.url}/healthz`);
  const figures = await server.scrape();
  const lines = server.said().split('\n').filter(Boolean);
  const logged = lines.map((line) => JSON.parse(line));
  return {
    health: [answer.status, await answer.json()],
    figures: FIGURES.map((name) => figures[name]),
    errors: logged.filter(({ level, msg }) => level >= 50 && msg).map(({ msg }) => String(msg)),
  };
}

/** Lines of the log arrive a moment after the answer. */
const expectSoon = (server: Server, expected: unknown) =>
  expect.poll(() => look(server)).toEqual(expected);

const READY = { health: [200, { status: 'ready' }], figures: [0, 0], errors: [] };
const degraded = (changes: number) => ({
  health: [200, { status: 'degraded', reasons: [expect.stringMatching(ADVICE)] }],
  figures: [changes, 1],
  errors: [expect.stringMatching(ADVICE)],
});

const verify = (dataDir: string) => runCli('clicks.ts', ['verify'], { DATA_DIR: dataDir });

/** Runs the commands of the runbook, with a backup and without systemd. */
function bringBack(backup: string, { dataDir }: Server): string {
  const [, section = ''] = readFileSync('docs/operations.md', 'utf8').split(
    '### SiteLedgerChanged',
  );
  const block = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .map(([, text = '']) => text)
    .find((text) => text.includes('/backups/'));
  const commands = (block ?? 'exit 1')
    .replaceAll('/var/lib/site/3001', dataDir)
    .replaceAll('/backups/2026-01-31/3001', backup)
    .replaceAll('/root/', `${backup}/`)
    .replaceAll('-o site -g site', '');
  const programs = `
    site() { shift; "${process.execPath}" cli/clicks.ts "$@"; }
    journalctl() { true; }
  `;
  const env = { ...process.env, DATA_DIR: dataDir };
  return execFileSync('bash', ['-ec', programs + commands], { env, encoding: 'utf8' });
}

/** @returns a folder with a copy of the ledger */
function backUp(ledger: string): string {
  const folder = makeDataDir();
  copyFileSync(ledger, join(folder, 'clicks.jsonl'));
  return folder;
}

const firstLines = (file: string, count: number) =>
  `${readFileSync(file, 'utf8').split('\n').slice(0, count).join('\n')}\n`;

const DAMAGES: [string, (ledger: string) => void][] = [
  ['deleted', (ledger) => rmSync(ledger)],
  ['emptied', (ledger) => truncateSync(ledger, 0)],
  ['shortened', (ledger) => writeFileSync(ledger, firstLines(ledger, 4))],
  [
    'replaced by an older copy',
    (ledger) => {
      const older = `${ledger}.older`;
      writeFileSync(older, firstLines(ledger, 4));
      renameSync(older, ledger);
    },
  ],
];

test.each(DAMAGES)(
  '%s while the server was stopped: log, health and metrics say so, also after further clicks and a restart, until the lines are back',
  async (_how, damage) => {
    const first = await startMetered();
    const { dataDir, ledger } = first;
    await sendClicks(first, 10);
    await expectSoon(first, READY);
    await first.stop('SIGTERM');
    const backup = backUp(ledger);
    damage(ledger);

    const second = await startMetered({ dataDir });
    await expectSoon(second, degraded(1));
    second.child.kill('SIGHUP');
    await expect.poll(() => second.said()).toContain('Reopened');
    // More than were lost, so that the file is longer than before.
    await sendClicks(second, 20);
    await expectSoon(second, degraded(1));
    await second.stop('SIGTERM');

    const third = await startMetered({ dataDir });
    await expectSoon(third, degraded(0));
    expect(await verify(dataDir)).toMatchObject({ code: 1 });
    await expectSoon(third, degraded(0));
    expect(bringBack(backup, third)).toMatch(/The ledger is complete again.*\nNo difference\.\n$/s);
    expect((await look(third)).health).toEqual(READY.health);
    expect((await look(third)).figures).toEqual(READY.figures);
    await third.stop('SIGTERM');
    await expectSoon(await startMetered({ dataDir }), READY);
  },
);

test('without a copy, clicks rebuild ends the warning: the statistics then count what the ledger has', async () => {
  const first = await startMetered();
  const { dataDir, ledger } = first;
  await sendClicks(first, 3);
  await first.stop('SIGTERM');
  writeFileSync(ledger, firstLines(ledger, 2));
  const second = await startMetered({ dataDir });
  await expectSoon(second, degraded(1));
  await second.stop('SIGTERM');
  const rebuilt = await runCli('clicks.ts', ['rebuild'], { DATA_DIR: dataDir });
  expect(rebuilt.out).toContain('2 clicks are in');
  await expectSoon(await startMetered({ dataDir }), READY);
});

test.each(DAMAGES.filter(([how]) => ['emptied', 'shortened'].includes(how)))(
  '%s while the server runs: log, health and metrics say so once',
  async (_how, damage) => {
    const server = await startMetered();
    await sendClicks(server, 10);
    const backup = backUp(server.ledger);
    damage(server.ledger);
    await sendClicks(server, 5);
    await expectSoon(server, {
      ...degraded(1),
      errors: [expect.stringMatching(/^Another program cut \d+ bytes off .*bring the missing/i)],
    });
    expect(bringBack(backup, server)).toMatch(/\nNo difference\.\n$/);
    expect((await look(server)).health).toEqual(READY.health);
  },
);

test('moved to a name that the server does not read: degraded, until it has a rotated name', async () => {
  const server = await startMetered();
  await sendClicks(server, 3);
  renameSync(server.ledger, `${server.ledger}.old`);
  await sendClicks(server, 1);
  await expectSoon(server, degraded(1));
  renameSync(`${server.ledger}.old`, `${server.ledger}.1`);
  expect(await verify(server.dataDir)).toMatchObject({ code: 0 });
  expect((await look(server)).health).toEqual(READY.health);
});

test('deleted or lengthened while the server runs: counted, but the ledger lacks nothing, so the server stays ready', async () => {
  const server = await startMetered();
  await sendClicks(server, 3);
  rmSync(server.ledger);
  await sendClicks(server, 1);
  appendFileSync(server.ledger, 'unfinished');
  await sendClicks(server, 1);
  await expectSoon(server, {
    health: READY.health,
    figures: [2, 0],
    errors: [
      expect.stringMatching(/was deleted or replaced/),
      expect.stringMatching(
        /^Another program wrote 10 bytes without a newline to .*clicks\.jsonl; the server cut them off/,
      ),
    ],
  });
  expect(await verify(server.dataDir)).toMatchObject({ code: 0 });
});

/** What happens to a stopped server's data folder in good order. */
const GOOD_ORDER: [string, (dataDir: string, ledger: string) => void | Promise<void>][] = [
  ['a restart', () => {}],
  ['a rotation', (_dataDir, ledger) => renameSync(ledger, `${ledger}.1`)],
  [
    'a rotation and its packing',
    (_dataDir, ledger) => {
      writeFileSync(`${ledger}-20260131.gz`, gzipSync(readFileSync(ledger)));
      rmSync(ledger);
    },
  ],
  ['a lost index', (dataDir) => rmSync(join(dataDir, 'site.sqlite'))],
  [
    'an index of the first version, which knows no first line',
    (dataDir, ledger) => {
      const db = new DatabaseSync(join(dataDir, 'site.sqlite'));
      db.exec('ALTER TABLE ledger_position DROP COLUMN first_id; PRAGMA user_version = 1;');
      db.close();
      copyFileSync(ledger, `${ledger}.1`);
      rmSync(ledger);
    },
  ],
  [
    'clicks rebuild',
    async (dataDir) => {
      expect(await runCli('clicks.ts', ['rebuild'], { DATA_DIR: dataDir })).toMatchObject({
        code: 0,
      });
    },
  ],
  [
    'a backup, its restore',
    async (dataDir) => {
      const to = join(makeDataDir(), 'backup');
      const env = { DATA_DIR: dataDir };
      expect(await runCli('backup.ts', ['--to', to], env)).toMatchObject({ code: 0 });
      rmSync(dataDir, { recursive: true });
      const restored = await runCli('restore.ts', ['--from', to, '--to', dataDir], env);
      expect(restored).toMatchObject({ code: 0 });
    },
  ],
];

test.each(GOOD_ORDER)('%s is no change of the ledger: the server is ready', async (_what, act) => {
  const first = await startMetered();
  await sendClicks(first, 3);
  await first.stop('SIGTERM');
  await act(first.dataDir, first.ledger);
  const second = await startMetered({ dataDir: first.dataDir });
  await expectSoon(second, READY);
  await sendClicks(second, 1);
  await second.stop('SIGTERM');
  await expectSoon(await startMetered({ dataDir: first.dataDir }), READY);
});

test.each(['with its first id', 'by an older version'])(
  'a ledger that CLICK_RETENTION_DAYS has deleted %s is no change, although no click came since',
  async (how) => {
    const dataDir = makeDataDir();
    const rotated = join(dataDir, 'clicks.jsonl-20260131');
    const received = Date.parse('2026-01-30T12:00:00.000Z');
    const hex = received.toString(16).padStart(12, '0');
    const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-8def-000000000001`;
    const click = { id, event: 'hero_cta_click', received_at: new Date(received).toISOString() };
    writeFileSync(rotated, `${JSON.stringify(click)}\n`);
    await (await startMetered({ dataDir })).stop('SIGTERM');
    // As an operator does: the newest line is months old.
    writeFileSync(join(dataDir, 'clock.json'), `{"newest":"${new Date().toISOString()}"}`);
    const env = { CLICK_RETENTION_DAYS: '1' };
    const purging = await startMetered({ dataDir, env });
    await expect.poll(() => existsSync(rotated)).toBe(false);
    await purging.stop('SIGTERM');
    if (how === 'by an older version') {
      const notes = join(dataDir, 'clicks.deleted.jsonl');
      const { first, ...note } = JSON.parse(readFileSync(notes, 'utf8'));
      expect(first).toBe(id);
      writeFileSync(notes, `${JSON.stringify(note)}\n`);
    }
    await expectSoon(await startMetered({ dataDir, env }), READY);
  },
);
