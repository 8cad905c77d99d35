/** Starts a simulated server: the real app, recorder, logs and jobs, on the world's database. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { buildApp } from '../../server/app.ts';
import { openClickLog } from '../../server/clicks/click-log.ts';
import { createRecorder } from '../../server/clicks/record-clicks.ts';
import { openRefusedLog } from '../../server/clicks/refused-log.ts';
import { watchClock } from '../../server/clicks/watch-clock.ts';
import { watchWrites } from '../../server/database/write-health.ts';
import { type JobParts, listJobs } from '../../server/jobs.ts';
import { sendMail } from '../../server/mail/smtp.ts';
import { postBatch } from '../../server/posthog/post-batch.ts';
import { startJobs } from '../../server/process/scheduler.ts';
import { findKeys, type KeyRing, ringFor } from '../../server/registrations/key-ring.ts';
import { readSettings } from '../../server/settings.ts';
import { createStats } from '../../server/stats/read-stats.ts';
import { MINUTE_MS, SECOND_MS } from '../../server/time.ts';
import { connectTo } from './database.ts';
import { KEYS } from './site.ts';
import { never, pass } from './waits.ts';
import type { World } from './world.ts';

/** The state of a server's process, for all parts that must notice its death. */
export interface Life {
  isAlive: boolean;
  /** Resolves when the server dies. */
  readonly died: Promise<null>;
  kill(): void;
}

export interface Server {
  readonly name: string;
  readonly app: FastifyInstance;
  readonly life: Life;
  readonly ring: KeyRing;
  /** Whether the server accepts no new requests, because it is shutting down. */
  isStopping: boolean;
  kill(): void;
  /** Shuts the server down in the order of server/serve.ts. Kills it if that takes too long. */
  stop(): Promise<void>;
}

/**
 * A server that is shutting down is killed after this time: `EXIT_TIMEOUT_MS` of server/serve.ts
 * without the time of the handover.
 */
const SHUTDOWN_MS = 1900;

/** Periods of jobs, longer than the product's, so that a simulated week has fewer timers to run. */
const JOB_PERIODS: Record<string, number> = {
  posthog: 15 * SECOND_MS,
  mails: MINUTE_MS,
  stats: 5 * MINUTE_MS,
  'write-probe': 15 * SECOND_MS,
};

const SMTP_URL = 'smtp://localhost';

const silent = pino({ level: 'silent' });

/** Starts a server. @param name of the server, and of its data folder */
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
    SMTP_URL,
  });
  const db = connectTo(world, life);
  const ring = ringFor(findKeys(config), []);
  const clickLog = openClickLog(folder, () => {});
  const refusedLog = openRefusedLog(folder, silent);
  const storeOptions = { server: name, toPosthog: true };
  const health = watchWrites({ db, server: name, log: silent });
  const recorder = createRecorder({
    db,
    clickLog,
    health,
    storeOptions,
    onCommit: () => {},
  });
  const stats = createStats({ db });
  const shared = { site, db, health, ring, log: silent, stats, standby: null, siteWatch: null };
  const key = site.posthogKey ?? '';
  const jobs = startOwnJobs({
    ...shared,
    settings: config,
    storeOptions,
    events: {
      maxBatch: 20,
      post: whileAlive(life, (batch, signal) =>
        postBatch({ host: site.posthogHost, key }, batch, signal),
      ),
    },
    mails: { send: whileAlive(life, (from, mail) => sendMail(new URL(SMTP_URL), from, mail)) },
  });
  // The server may be killed while it starts. `kill` then closes the parts that are open by then.
  const closes = [jobs.stop, recorder.close];
  const app = await buildApp(config, {
    ...shared,
    distDir,
    recorder,
    refusedLog,
    storeOptions,
    clock: watchClock({ log: silent }),
    comparison: null,
    close: async () => {},
    faultOf: jobs.faultOf,
    maxEventLoopDelayMs: 0,
    metrics: null,
  });
  closes.push(() => app.close());
  await app.ready();

  function kill(): void {
    if (!life.isAlive) return;
    life.isAlive = false;
    world.kills += 1;
    // Requests that the dead server has sent may still arrive.
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
        await jobs.stop();
        await recorder.close();
        await health.close();
      };
      await Promise.race([inOrder(), pass(SHUTDOWN_MS)]);
      kill();
    },
  };
  return server;
}

/**
 * Wraps a function that sends a request. The code of a dead server runs on until it next waits;
 * this keeps it from sending anything.
 */
const whileAlive =
  <Args extends unknown[], Answer>(life: Life, send: (...args: Args) => Promise<Answer>) =>
  (...args: Args): Promise<Answer> =>
    life.isAlive ? send(...args) : never();

function startOwnJobs(parts: JobParts) {
  const jobs = listJobs(parts);
  const slower = jobs.map((job) => ({ ...job, everyMs: JOB_PERIODS[job.name] ?? job.everyMs }));
  return startJobs(slower, parts.db);
}
