/** A new Debian with systemd as process 1, in a container with a network of its own. Needs root. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { attach, type Machine } from './attach.ts';

const TOOLS = ['mmdebstrap', 'systemd-nspawn', 'slirp4netns', 'nsenter', 'setpriv', 'npm'];
/** With what an operator's Debian has, a library that moves the clock of one program, and a tool that slows one's disk. */
const PACKAGES =
  'systemd-sysv,dbus,ca-certificates,git,procps,iproute2,less,curl,openssl,libfaketime,strace,sysstat';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
/** Enough for the ledgers, and small enough to fill at once. */
const DATA_DISK = '/var/lib/site:size=192M,mode=0755';
/** Of the user-mode network. */
const NAME_SERVER = '10.0.2.3';

const find = (program: string): string => {
  const { stdout } = spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program], {
    encoding: 'utf8',
  });
  return stdout.trim();
};

/** @returns why this computer cannot start a machine; null: it can */
export function findObstacle(): string | null {
  if (process.getuid?.() !== 0) return 'only root can start a container';
  const missing = TOOLS.filter((name) => !find(name));
  return missing.length > 0 ? `missing: ${missing.join(', ')}` : null;
}

/**
 * Resolves when systemd has started everything.
 *
 * @param host the machine's name
 * @param names further names of its address
 */
export async function startMachine(host: string, names: string): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'machine-'));
  const root = join(folder, host);
  await promisify(execFile)('mmdebstrap', [
    ...['--quiet', '--variant=minbase', `--include=${PACKAGES}`, 'bookworm', root],
  ]);
  installNode(root);
  writeBasics(root, host, names);
  const container = spawnUntilEnd('systemd-nspawn', [
    ...['--quiet', '--boot', '--register=no', '--keep-unit', '--console=pipe'],
    ...['--private-network', '--resolv-conf=off', '--timezone=off', `--tmpfs=${DATA_DISK}`],
    ...[`--machine=${basename(folder)}`, `--directory=${root}`],
  ]);
  const leader = await findLeader(container);
  const network = spawnUntilEnd('slirp4netns', ['--configure', '--mtu=65520', leader, 'tap0']);
  const stop = () => {
    process.kill(Number(leader), 'SIGKILL');
    network.kill('SIGKILL');
    // Node's rmSync takes a minute for so many files.
    spawn('rm', ['-rf', folder], { stdio: 'ignore', detached: true }).unref();
  };
  const machine = attach(leader, root, stop);
  await machine.until('systemctl is-system-running && getent hosts deb.debian.org');
  return machine;
}

/** Ends with this process. */
const spawnUntilEnd = (program: string, args: string[]): ChildProcess =>
  spawn('setpriv', ['--pdeathsig=KILL', '--', program, ...args], { stdio: 'ignore' });

/** @returns the id of the container's process 1, which is the only child of systemd-nspawn that lasts */
async function findLeader({ pid }: ChildProcess): Promise<string> {
  for (;;) {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    for (const child of children) {
      if (child && readFileSync(`/proc/${child}/comm`, 'utf8') === 'systemd\n') return child;
    }
    await wait(50);
  }
}

/** This computer's Node and npm, because Debian's are too old. */
function installNode(root: string): void {
  cpSync(realpathSync(process.execPath), join(root, 'usr/bin/node'));
  const npm = dirname(dirname(realpathSync(find('npm'))));
  const modules = join(root, 'usr/lib/node_modules');
  mkdirSync(modules, { recursive: true });
  cpSync(npm, join(modules, 'npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/bin/npm'));
}

function writeBasics(root: string, host: string, names: string): void {
  const files = {
    'etc/hostname': `${host}\n`,
    'etc/hosts': `127.0.0.1 localhost ${host} ${names}\n`,
    'etc/resolv.conf': `nameserver ${NAME_SERVER}\n`,
    'root/.npmrc': `cafile=${CERTIFICATES}\n`,
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  // With the certificates of this computer's own network.
  cpSync(CERTIFICATES, join(root, CERTIFICATES));
}
