/** Starts PgBouncer, a connection pooler, in front of a PostgreSQL of the tests. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { findPgbouncer } from '../run/find-programs.ts';
import { freePort } from '../server/local-server.ts';
import { asPostgres, endDaemon, query } from './postgres.ts';

/**
 * Starts PgBouncer until the end of the test.
 *
 * @param url of a database of PostgreSQL
 * @param settings lines of pgbouncer.ini, such as `pool_mode = session`
 * @returns the URL of the same database behind PgBouncer
 * @throws if PgBouncer is not installed, or ends by itself
 */
export async function startPgbouncer(url: string, ...settings: string[]): Promise<string> {
  const program = findPgbouncer();
  if (!program) throw new Error('PgBouncer is missing. Run node tests/helpers/run/ensure-needs.ts');
  const { port: postgresPort, pathname } = new URL(url);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${postgresPort} user=site`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    ...settings,
  ];
  writeFileSync(file, lines.join('\n'));
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres', folder]);
  const child = spawn('setpriv', asPostgres(program, ['--quiet', file]), { stdio: 'ignore' });
  onTestFinished(async () => {
    await endDaemon(child, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const pooled = `postgres://site@127.0.0.1:${port}${pathname}`;
  while (!(await query(pooled, 'SELECT 1').catch(() => null))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`);
    await wait(20);
  }
  return pooled;
}
