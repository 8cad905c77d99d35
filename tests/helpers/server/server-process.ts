/** Starts the real server in a process of its own, until the end of the test. */
import { onTestFinished } from 'vitest';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { makeDataDir } from './server-app.ts';
import { makeDist } from './server-dist.ts';
import { type ServerOptions, spawnServer } from './spawn-server.ts';

interface Options extends Partial<ServerOptions> {
  /** Settings of the build. */
  site?: Partial<BuiltSite>;
}

/** Starts a server without rate limits. Resolves when it answers. */
export async function startServer({ env = {}, site = {}, ...options }: Options = {}) {
  const server = await spawnServer({
    dataDir: makeDataDir(),
    dist: makeDist(site),
    ...options,
    env: { RATE_LIMIT: '0', ...env },
  });
  onTestFinished(async () => void (await server.stop('SIGKILL')));
  return server;
}
