/**
 * The simulated world of one run: two servers on one database, browsers, a network, PostHog and an
 * SMTP server, all of which can fail.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { readBuiltSite } from '../../server/built-site.ts';
import { HOUR_MS } from '../../server/time.ts';
import { type Book, makeBook } from './book.ts';
import { awakeTime, resetClock, settle } from './clock.ts';
import { openSharedDatabase, type SharedDatabase } from './database.ts';
import { disk } from './disk.ts';
import { type LogReader, openLogReader } from './log-reader.ts';
import { setKnown } from './new-button.ts';
import { fetchOfServers, makePosthog, type Posthog } from './posthog.ts';
import { random } from './random.ts';
import { type Server, startServer } from './server.ts';
import { type Delivered, openSmtp } from './smtp.ts';
import { makeVisitor, type Visitor } from './visitors.ts';
import { CALM, type Weather } from './weather.ts';

export interface World {
  readonly distDir: string;
  readonly site: BuiltSite;
  readonly folder: string;
  readonly database: SharedDatabase;
  readonly posthog: Posthog;
  readonly mails: { delivered: Map<string, Delivered>; isDown: boolean };
  readonly log: LogReader;
  readonly book: Book;
  readonly visitors: Visitor[];
  readonly servers: Server[];
  weather: Weather;
  isDatabaseDown: boolean;
  /** When all visitors opened the site for the last time (`calmDown`); 0 before. */
  openedAt: number;
  /** When an operator last sent all clicks to PostHog again; 0: never. */
  resentAt: number;
  requests: number;
  kills: number;
  /** Number of injected faults after which a server may send an event or a mail twice. */
  disturbances: number;
  /** Notes such a fault. @param lastsMs how long its effects may last, in milliseconds */
  disturb(lastsMs?: number): void;
  /** Whether there was no such fault, nor effects of one, since `disturbances` had that value. */
  wasCalmSince(disturbances: number): boolean;
  /** Draws whether a fault with this probability happens now, and notes it. */
  hits(probability: number): boolean;
  /** Starts the servers that do not run. */
  startServers(): Promise<void>;
  close(): Promise<void>;
}

/** Every run begins within five hours before this moment, so that midnight comes soon. */
const FIRST_MIDNIGHT = Date.UTC(2026, 1, 1);
/** Differences of browsers' clocks from the true time. */
const CLOCK_SKEWS = [0, 0, -HOUR_MS, 2 * HOUR_MS, 20 * HOUR_MS, 30 * HOUR_MS];

/**
 * Makes the world of a run, with two servers that run.
 *
 * @param seed draws the visitors, the settings of the site, and the time of the start
 * @param root folder in which the world makes its own
 * @param distDir folder of the build
 */
export async function makeWorld(seed: number, root: string, distDir: string): Promise<World> {
  random.reseed(seed);
  setKnown(false);
  resetClock(FIRST_MIDNIGHT - random.pick([60_000, HOUR_MS, 5 * HOUR_MS]));
  const folder = mkdtempSync(join(root, 'world-'));
  const site: BuiltSite = {
    ...readBuiltSite(distDir),
    clickRetentionDays: random.pick([0, 9, 20]),
    personalDataDays: random.pick([0, 9, 90]),
    registrationRetentionDays: random.pick([0, 0, 10]),
  };
  let unsureUntil = 0;
  const world: World = {
    distDir,
    site,
    folder,
    database: await openSharedDatabase(folder),
    posthog: makePosthog(),
    mails: { delivered: new Map(), isDown: false },
    log: openLogReader(folder),
    book: makeBook(),
    weather: { ...CALM },
    isDatabaseDown: false,
    servers: [],
    visitors: drawVisitors(),
    openedAt: 0,
    resentAt: 0,
    requests: 0,
    kills: 0,
    disturbances: 0,
    disturb(lastsMs = 0) {
      world.disturbances += 1;
      unsureUntil = Math.max(unsureUntil, awakeTime() + lastsMs);
    },
    wasCalmSince: (disturbances) =>
      disturbances === world.disturbances && awakeTime() > unsureUntil,
    hits(probability) {
      const isHit = random.chance(probability);
      if (isHit) world.disturb();
      return isHit;
    },
    async startServers() {
      for (const [place, name] of ['a', 'b'].entries())
        if (!world.servers[place]?.life.isAlive)
          world.servers[place] = await startServer(world, name);
    },
    async close() {
      for (const server of world.servers) server.kill();
      await settle();
      world.database.close();
      disk.isFull = () => false;
      rmSync(folder, { recursive: true, force: true });
    },
  };
  disk.isFull = () => world.hits(world.weather.fullDisk);
  disk.cuts = 0;
  globalThis.fetch = fetchOfServers(world);
  openSmtp(world);
  await world.startServers();
  return world;
}

function drawVisitors(): Visitor[] {
  return ['Ana', 'Ben', 'Cleo'].map((name) =>
    makeVisitor(name, {
      isPrivate: name === 'Ben' && random.chance(0.5),
      isInternal: name === 'Cleo' && random.chance(0.3),
      isRobot: name === 'Cleo' && random.chance(0.3),
      isAutomated: name !== 'Ana' && random.chance(0.3),
      skew: random.pick(CLOCK_SKEWS),
    }),
  );
}
