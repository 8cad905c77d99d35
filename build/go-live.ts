/**
 * `npm run golive`: lists what the last build lacks before the site goes live. Ends with 1 while a page makes a claim that the
 * facts do not carry. Tests name another folder than dist.
 */

import { readBuild } from './go-live/read-build.ts';
import { goLive } from './go-live/report.ts';

try {
  const { site, pages } = readBuild(process.argv[2] ?? 'dist');
  const { text, isReady } = goLive(site, pages);
  process.stdout.write(text);
  process.exitCode = isReady ? 0 : 1;
} catch (cause) {
  process.stderr.write(`${(cause as Error).message}\n`);
  process.exitCode = 1;
}
