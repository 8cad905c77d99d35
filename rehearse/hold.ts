/** Keeps the layout running for a walk through docs/operations.md. Each name of a disaster on standard input begins or ends it. */
import { createInterface } from 'node:readline';
import type { Layout } from './layout/start-layout.ts';
import { DISASTERS, type Disaster } from './night/disasters.ts';
import { startVisitors } from './visitors/start-visitors.ts';

const CLICKS_PER_SECOND = 2;

/** Resolves when standard input ends. */
export async function hold(layout: Layout, print: (line: string) => void): Promise<void> {
  const visitors = startVisitors(layout.url, CLICKS_PER_SECOND);
  print(describe(layout));
  const running = new Set<Disaster>();
  for await (const name of createInterface({ input: process.stdin })) {
    const disaster: Disaster | undefined = DISASTERS[name.trim() as keyof typeof DISASTERS];
    if (!disaster) {
      print(`There is no disaster "${name}", only ${Object.keys(DISASTERS).join(', ')}`);
    } else if (running.delete(disaster)) {
      await disaster.repair(layout);
      print(`${name}: over`);
    } else {
      running.add(disaster);
      await disaster.strike(layout);
      print(`${name}: ${disaster.what}. The same word again ends it`);
    }
  }
  for (const disaster of running) await disaster.repair(layout);
  visitors.close();
}

function describe({ url, folders, servers }: Layout): string {
  const lines = servers.map(
    ({ name, port, metricsPort, dataDir, log }) =>
      `${name}: http://127.0.0.1:${port}, metrics ${metricsPort}, DATA_DIR ${dataDir}, log ${log}`,
  );
  return [url, `SITE_ENV_FILE=${folders.siteEnv}`, ...lines].join('\n');
}
