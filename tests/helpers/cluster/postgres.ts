/** Starts, stops and queries PostgreSQL clusters for tests, each in a new folder. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { findPostgres } from '../run/find-programs.ts';
import { freePort } from '../server/local-server.ts';

const isRoot = process.getuid?.() === 0;

/**
 * Returns the arguments of `setpriv` that run a command which the kernel kills with this process;
 * as the user postgres if this process is root's, for whom PostgreSQL refuses to run.
 */
export const asPostgres = (command: string, args: string[]): string[] => [
  ...(isRoot ? ['--reuid=postgres', '--regid=postgres', '--clear-groups'] : []),
  '--pdeathsig=KILL',
  '--',
  command,
  ...args,
];

/** Runs a command to its end. @throws with its standard error if it fails */
const run = (command: string, args: string[]) =>
  void execFileSync('setpriv', asPostgres(command, args), { stdio: ['ignore', 'ignore', 'pipe'] });

/** Sends a signal to a child process, and resolves when the process has ended. */
export async function endDaemon(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

export type Postgres = Awaited<ReturnType<typeof startPostgres>>;

interface Options {
  /** Settings of postgresql.conf, such as `fsync=off`. */
  settings?: string[];
  /** If given, the new cluster is a standby of this primary, with the name STANDBY. */
  primary?: { port: number };
  /** Name of the superuser, who owns the databases. */
  superuser?: string;
}

/**
 * Creates a cluster and starts its server. Resolves when it answers.
 *
 * @throws if PostgreSQL is not installed
 */
export async function startPostgres({ settings = [], primary, superuser = 'site' }: Options = {}) {
  const bin = findPostgres();
  if (!bin) throw new Error('PostgreSQL is missing. Run node tests/helpers/run/ensure-needs.ts');
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  if (isRoot) execFileSync('chown', ['postgres', folder]);
  const data = join(folder, 'data');
  if (primary) copyPrimary(bin, data, primary.port);
  else initCluster(bin, data, superuser);
  const port = await freePort();
  const allSettings = ['listen_addresses=127.0.0.1', 'log_min_messages=panic', ...settings];
  const args = ['-D', data, '-p', String(port), '-k', folder];
  args.push(...allSettings.flatMap((setting) => ['-c', setting]));
  const start = () =>
    spawn('setpriv', asPostgres(join(bin, 'postgres'), args), { stdio: 'ignore' });
  let child = start();
  const url = (database: string, user = superuser) =>
    `postgres://${user}@127.0.0.1:${port}/${database}`;
  const untilReady = async () => {
    while (!(await query(url('postgres'), 'SELECT 1').catch(() => null))) {
      await wait(50);
      // After a kill, the server's child processes live on for a moment. Until they have ended, it
      // refuses to start again.
      if (child.exitCode !== null) child = start();
    }
  };
  await untilReady();
  let databases = 0;
  return {
    port,
    url,
    /** Creates a database. @returns its URL */
    async createDatabase(): Promise<string> {
      databases += 1;
      await query(url('postgres'), `CREATE DATABASE test_${databases}`);
      return url(`test_${databases}`);
    },
    kill: () => endDaemon(child, 'SIGKILL'),
    /** Shuts the server down, which ends all connections. */
    stop: () => endDaemon(child, 'SIGINT'),
    async restart() {
      child = start();
      await untilReady();
    },
    /** Suspends all processes of the server. */
    hang: () => signalFamily(child, 'SIGSTOP'),
    /** Resumes them. */
    goOn: () => signalFamily(child, 'SIGCONT'),
    /** Kills the server and deletes its files. */
    async remove() {
      signalFamily(child, 'SIGKILL');
      await endDaemon(child, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates an empty cluster without passwords. */
function initCluster(bin: string, data: string, superuser: string): void {
  const args = ['-D', data, '-U', superuser, '--auth=trust', '-E', 'UTF8', '--locale=C'];
  run(join(bin, 'initdb'), [...args, '--no-sync']);
}

/** Copies a primary, as the start of a standby that follows it. */
function copyPrimary(bin: string, data: string, port: number): void {
  const source = `host=127.0.0.1 port=${port} user=site application_name=${STANDBY}`;
  const args = ['-D', data, '-d', source, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
  run(join(bin, 'pg_basebackup'), args);
}

/** Sends a signal to a process and its children. Those that have ended are left out. */
function signalFamily({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  const children = `/proc/${pid}/task/${pid}/children`;
  const family = existsSync(children) ? readFileSync(children, 'utf8').trim().split(' ') : [];
  for (const one of [pid, ...family.map(Number)]) {
    try {
      if (one) process.kill(one, signal);
    } catch {
      // The process has ended by itself.
    }
  }
}

/** The standby's name in `synchronous_standby_names`. */
export const STANDBY = 'standby';

/**
 * Sets for which standbys the primary's commits wait.
 *
 * @param names value of `synchronous_standby_names`; empty: commits wait for none
 */
export async function setSynchronous(primary: Postgres, names: string): Promise<void> {
  const admin = primary.url('postgres');
  await query(admin, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
  await query(admin, 'SELECT pg_reload_conf()');
}

/** Runs one query on a connection of its own. @returns the rows */
export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
