/** The folders of the rehearsal: a copy of the build, the settings' file, and a small disk for the servers' data. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtSiteSchema } from '#contract/built-site.schema.ts';

/** More than five times MIN_FREE_MB, below which the servers warn, and small enough to fill at once. */
const DISK_MB = 192;

/** The project's key at PostHog. */
export const POSTHOG_KEY = 'phc_rehearsal';

export interface Folders {
  root: string;
  /** In place of /srv/site/dist. */
  dist: string;
  /** In place of /var/lib/site: a folder per server. */
  data: string;
  /** Whether `data` is a disk of its own. Only root can mount one. */
  hasOwnDisk: boolean;
  /** In place of /etc/site/site.env. */
  siteEnv: string;
  /** The servers' standard output, a file each. */
  logs: string;
  remove(): void;
}

/** @param dist the build, which stays as it is */
export function makeFolders(dist: string): Folders {
  const root = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  const inside = (name: string) => join(root, name);
  for (const name of ['data', 'logs']) mkdirSync(inside(name));
  cpSync(dist, inside('dist'), { recursive: true });
  turnOn(join(inside('dist'), 'site.json'));
  const hasOwnDisk = succeeds('mount', [
    ...['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', inside('data')],
  ]);
  return {
    root,
    hasOwnDisk,
    dist: inside('dist'),
    data: inside('data'),
    logs: inside('logs'),
    siteEnv: inside('site.env'),
    remove() {
      if (hasOwnDisk) succeeds('umount', ['-l', inside('data')]);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Writes settings as systemd and the shell read them. */
export function writeSiteEnv(file: string, settings: Record<string, string>): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(file, lines.join(''), { mode: 0o600 });
}

/** Turns on PostHog and the form in the build's copy, so that the night has both. */
function turnOn(siteJson: string): void {
  const site = builtSiteSchema.parse(JSON.parse(readFileSync(siteJson, 'utf8')));
  const changed = { ...site, posthogKey: POSTHOG_KEY, registerForm: true };
  writeFileSync(siteJson, JSON.stringify(changed));
}

function succeeds(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
