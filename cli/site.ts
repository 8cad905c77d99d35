/**
 * The program behind deploy/bin/site: reads the servers' settings, changes to the project's folder and to the servers' user,
 * and runs a command of package.json as npm does.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseEnv } from 'node:util';
import { runProgram } from './run-program.ts';
import { UsageError } from './usage-error.ts';

const HELP = `Usage: site <command> [options]

  site clicks tail | report | grep | verify | …   commands for the ledger
  site registrations list | export | delete | …   commands for registrations
  site backup | restore                           "site backup --help" explains each
  site check-config                               checks the settings of the servers, and starts nothing
  site exec PROGRAM …                             any other program with the servers' settings, such as pg_dump
  site SCRIPT …                                   any other script of package.json, such as deploy:nginx

The settings are in SITE_ENV_FILE (/etc/site/site.env); variables that are set already win, such as
DATA_DIR=/var/lib/site/3001 site clicks report. With root's rights, the commands run as SITE_USER (site). Relative paths
begin at your own folder.
`;

/** Other names for scripts with arguments. */
const ALIASES: Record<string, string> = { 'check-config': 'serve --check-config' };

/** They write into the project's folder, which does not belong to the servers' user. */
const INSTALLS = ['build', 'deploy:nginx'];

await runProgram(HELP, async () => {
  const [name, ...args] = process.argv.slice(2);
  if (name === undefined) throw new UsageError('Name a command');
  if (['--help', '-h', 'help'].includes(name)) return void process.stdout.write(HELP);
  const { SITE_DIR: dir = '.' } = process.env;
  const env = {
    ...readSettings(process.env.SITE_ENV_FILE ?? '/etc/site/site.env'),
    ...process.env,
    // Commands resolve relative paths of the operator against it.
    INIT_CWD: process.cwd(),
    PATH: `${join(dir, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
  };
  const command =
    name === 'exec' ? args : ['sh', '-c', `${readScript(dir, name)} "$@"`, 'sh', ...args];
  if (command.length === 0) throw new UsageError('exec needs a program');
  const user = INSTALLS.includes(name) ? [] : asServersUser(process.env.SITE_USER ?? 'site');
  const [program = '', ...rest] = [...user, ...command];
  process.exitCode = await run(program, rest, { cwd: name === 'exec' ? '.' : dir, env });
});

/** In the format of systemd's EnvironmentFile and of Node's --env-file: nothing is expanded. */
function readSettings(file: string): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (cause) {
    const { code } = cause as { code?: string };
    if (code === 'ENOENT')
      throw new Error(`There are no settings at ${file}. Set SITE_ENV_FILE.`, { cause });
    if (code === 'EACCES')
      throw new Error(`Only root may read ${file}: run "sudo site …".`, { cause });
    throw cause;
  }
}

/** @throws UsageError if package.json has no such script */
function readScript(dir: string, name: string): string {
  const { scripts } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  const [script = '', ...args] = (ALIASES[name] ?? name).split(' ');
  if (!Object.hasOwn(scripts, script)) throw new UsageError(`There is no command "${name}"`);
  // The settings file takes the place of .env.
  return [scripts[script].replace('--env-file-if-exists=.env ', ''), ...args].join(' ');
}

/** The servers could not write files that root has made in their folders. @returns the start of a command */
function asServersUser(user: string): string[] {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/setpriv')) return [];
  const entries = readFileSync('/etc/passwd', 'utf8').split('\n');
  const group = entries.find((entry) => entry.startsWith(`${user}:`))?.split(':')[3];
  if (group === undefined) return [];
  return ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--init-groups', '--'];
}

/** @returns the exit code */
function run(
  program: string,
  args: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<number> {
  const child = spawn(program, args, { ...options, stdio: 'inherit' });
  // The terminal sends the signal to both; the child decides.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']),
    );
  });
}
