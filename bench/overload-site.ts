/** The server with its shipped limits, alone and behind the shipped nginx, on one CPU, of which the server gets a share. */
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { startNginx } from '../tests/helpers/cluster/nginx.ts';
import { cpuSeconds, residentMemory, startServer, stopServer } from './ingest-process.ts';

/** Period in which a slow server runs and stands still, as a cgroup's CPU limit does. */
const PERIOD_MS = 100;

export type OverloadSite = Awaited<ReturnType<typeof startOverloadSite>>;

/** @param share of the CPU for the server, from 0 to 1 @param folder a new one for the data and a copy of the build */
export async function startOverloadSite(share: number, folder: string) {
  const server = await startServer('server/main.js', {
    DATA_DIR: join(folder, 'data'),
    TRUST_PROXY: 'loopback',
    METRICS_PORT: 'off',
  });
  const distDir = join(folder, 'dist');
  cpSync('dist', distDir, { recursive: true });
  const env = { ...process.env, DIST_DIR: distDir };
  execFileSync(process.execPath, ['cli/nginx-headers.ts'], { env, stdio: 'ignore' });
  const serverPorts = [Number(new URL(server.url).port)];
  const nginx = await startNginx({ distDir, serverPorts, isBehindBalancer: true, cpu: 0 });
  const speed = share < 1 ? slowDown(share, (signal) => void server.child.kill(signal)) : null;
  return {
    urls: { direct: server.url, nginx: nginx.url },
    /** CPU seconds of the server since its start. */
    cpuSeconds: () => cpuSeconds(server),
    memoryMb: () => residentMemory(server),
    async stop() {
      speed?.stop();
      await stopServer(server);
      await nginx.remove();
    },
  };
}

/** Stops the process for the rest of each period. */
function slowDown(share: number, send: (signal: NodeJS.Signals) => void) {
  let pause: NodeJS.Timeout | undefined;
  const timer = setInterval(() => {
    send('SIGCONT');
    pause = setTimeout(() => send('SIGSTOP'), PERIOD_MS * share);
  }, PERIOD_MS);
  return {
    stop() {
      clearInterval(timer);
      clearTimeout(pause);
      send('SIGCONT');
    },
  };
}
