/** The site of all runs: its build, keys and user agents. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeDist } from '../helpers/server/write-dist.ts';

export const KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
export const PAGE_URL = 'https://site.example/?ref=clinic-7';
export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';
export const ROBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

/** Makes a folder for all runs, with a small build. It is removed when the process ends. */
export function makeRoot() {
  const root = mkdtempSync(join(tmpdir(), 'simulation-'));
  process.on('exit', () => rmSync(root, { recursive: true, force: true }));
  const distDir = join(root, 'dist');
  writeDist(distDir, { posthogKey: 'phc_simulation', posthogHost: 'https://posthog.example' });
  return { root, distDir };
}
