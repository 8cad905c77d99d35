/** One server of the site: the real app, recorder, log, senders and hourly work, on the world's database. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { buildApp } from '../../server/app.ts';
import { openClickLog } from '../../server/clicks/click-log.ts';
import { createRecorder } from '../../server/clicks/record-clicks.ts';
import { openRefusedLog } from '../../server/clicks/refused-log.ts';
import { PROBE_MS, watchWrites } from '../../server/database/write-health.ts';
import { startHourly } from '../../server/hourly.ts';
import { startSender } from '../../server/posthog/sender.ts';
import { findKeys, type KeyRing, ringFor } from '../../server/registrations/encryption.ts';
import { startMails } from '../../server/registrations/mails.ts';
import { readSettings } from '../../server/settings.ts';
import { MINUTE_MS } from '../../server/time.ts';
import { connectTo } from './database.ts';
import { KEYS } from './site.ts';
import { pass } from './waits.ts';
import type { World } from './world.ts';

/** Whether a server runs. Its death is one promise, so that no request polls for it. */
export interface Life {
  isAlive: boolean;
  readonly died: Promise<null>;
  kill(): void;
}

export interface Server {
  readonly name: string;
  readonly app: FastifyInstance;
  readonly life: Life;
  readonly ring: KeyRing;
  /** Whether the server takes no new request. */
  isStopping: boolean;
  kill(): void;
  /** Stops in the order of server/serve.ts, and is killed if that lasts too long. */
  stop(): Promise<void>;
}

/** After this time a stopping server is killed, as `EXIT_MS` in server/serve.ts says. */
const LAST_MS = 1900;

const silent = pino({ level: 'silent' });

/** @param name of the server, and of its data folder */
export async function startServer(world: World, name: string): Promise<Server> {
  const { site, distDir } = world;
  const death = Promise.withResolvers<null>();
  const life: Life = { isAlive: true, died: death.promise, kill };
  const folder = join(world.folder, name);
  mkdirSync(folder, { recursive: true });
  const config = readSettings({
    DATA_DIR: folder,
    RATE_LIMIT: '0',
    REGISTRATION_KEYS: KEYS,
    SMTP_URL: 'smtp://localhost',
  });
  const db = connectTo(world, life);
  const ring = ringFor(findKeys(config), []);
  const clickLog = openClickLog(folder, () => {});
  const refusedLog = openRefusedLog(folder, silent);
  const store = { server: name, toPosthog: true };
  const health = watchWrites({ db, server: name, log: silent });
  void health.probeIfQuiet();
  const probes = setInterval(health.probeIfQuiet, PROBE_MS);
  const stopProbes = async () => {
    clearInterval(probes);
    await health.close();
  };
  const recorder = createRecorder({
    db,
    clickLog,
    health,
    store,
    onCommit: () => {},
  });
  const { posthogHost: host } = site;
  const sender = startSender({
    db,
    host,
    key: 'phc_simulation',
    log: silent,
    pace: { idle: 15_000, batch: 20 },
  });
  const stopMails = startMails({
    settings: config,
    site,
    db,
    ring,
    log: silent,
    pace: { idle: 60_000 },
  });
  const stopHourly = startHourly({ db, folder, site, store, log: silent });
  // A server may die while it starts.
  const closes = [sender.stop, stopMails, stopHourly, stopProbes, recorder.close];
  const app = await buildApp(config, {
    site,
    distDir,
    log: silent,
    db,
    health,
    recorder,
    refusedLog,
    ring,
    close: async () => {},
    posthogState: sender.state,
    maxEventLoopDelayMs: 0,
    metrics: null,
  });
  closes.push(() => app.close());
  await app.ready();

  function kill(): void {
    if (!life.isAlive) return;
    life.isAlive = false;
    world.kills += 1;
    // What the server has sent may still arrive.
    world.disturb(MINUTE_MS);
    death.resolve(null);
    for (const [job, leader] of world.database.leaders)
      if (leader === life) world.database.leaders.delete(job);
    void stopAll();
    clickLog.close();
    refusedLog.close();
  }
  async function stopAll(): Promise<void> {
    await Promise.all(closes.map((close) => close()));
  }
  const server: Server = {
    name,
    app,
    life,
    ring,
    isStopping: false,
    kill,
    async stop() {
      server.isStopping = true;
      const inOrder = async () => {
        await app.close();
        await Promise.all([sender.stop(), stopMails()]);
        await stopHourly();
        await recorder.close();
        await stopProbes();
      };
      await Promise.race([inOrder(), pass(LAST_MS)]);
      kill();
    },
  };
  return server;
}
