/** The real app with real files in a new folder. Tests send requests through `inject`. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, FastifyPluginAsync, InjectOptions } from 'fastify';
import { onTestFinished } from 'vitest';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { buildApp } from '../../../server/app.ts';
import { readBuiltSite } from '../../../server/built-site.ts';
import type { Disk } from '../../../server/clicks/ledger/disk.ts';
import type { Clock } from '../../../server/clock/clock.ts';
import { readConfig } from '../../../server/config.ts';
import { openKnownCodes } from '../../../server/links/known-codes.ts';
import { openData } from '../../../server/open-data.ts';
import { ROOM, type Room } from '../../../server/posthog/forwarder/forward-waiting.ts';
import type { Pace } from '../../../server/posthog/forwarder/pace.ts';
import { openPosthog } from '../../../server/posthog/open-posthog.ts';
import { makeLog } from '../../../server/process/make-log.ts';
import { openRegistrations } from '../../../server/registrations/open-registrations.ts';
import { checkLines } from './check-lines.ts';
import { makeDist } from './server-dist.ts';

export type Line = Record<string, unknown> & { id: string };

interface Options {
  env?: Record<string, string>;
  site?: Partial<BuiltSite>;
  /** The folder of an earlier app. */
  dataDir?: string;
  clock?: Clock;
  /** The ledger's disk; the real one if it is missing. */
  disk?: Disk;
  /** False: does not wait until the index has caught up with the ledger. */
  caughtUp?: boolean;
  /** The forwarder's waits. By default it sends no click. */
  pace?: Partial<Pace>;
  /** Upper bound of the events that wait for PostHog. */
  room?: Room;
  /** Observes routes and requests. */
  watchRequests?: FastifyPluginAsync;
}

/** Starts the app until the end of the test. `logged()` has the server's own log. */
export async function startApp({
  env = {},
  site = {},
  dataDir,
  clock,
  disk,
  caughtUp = true,
  room = ROOM,
  watchRequests,
  pace = { ageMs: Number.POSITIVE_INFINITY },
}: Options = {}) {
  const config = readConfig({
    DATA_DIR: dataDir ?? makeDataDir(),
    DIST_DIR: makeDist(site),
    // A busy machine must not look like an overload.
    MAX_EVENT_LOOP_DELAY_MS: '0',
    MAX_CLICK_WAIT_MS: '0',
    // Tests count clicks at once.
    STATS_PERIOD_MIN: '0',
    ...env,
  });
  const messages: Line[] = [];
  const mirrored: string[] = [];
  const check = checkLines();
  const log = makeLog(config.logLevel, {
    write(line) {
      check.add(line);
      messages.push(JSON.parse(line));
    },
  });
  const mirror = (text: Buffer) => {
    check.add(text.toString());
    mirrored.push(text.toString());
  };
  const data = await openData(config, log, mirror, { systemTime: clock, disk });
  if (caughtUp) await data.recorder.drain();
  const builtSite = readBuiltSite(config.distDir);
  const registrations = await openRegistrations(config, builtSite, log, data.clock);
  const knownCodes = openKnownCodes(config.campaignsFile, log);
  const posthog = builtSite.posthogKey
    ? await openPosthog(config, {
        key: builtSite.posthogKey,
        log,
        ledgerEnd: data.ledgerEnd,
        trustedNow: data.clock.now,
        pace,
        room,
      })
    : null;
  const app = await buildApp(config, {
    site: builtSite,
    log,
    ...data,
    posthog,
    registrations,
    knownCodes,
    watchRequests,
  });
  asBrowser(app);
  let open = true;
  const close = async () => {
    if (!open) return;
    open = false;
    await Promise.all([app.close(), posthog?.stop()]);
    await posthog?.close();
    await registrations.close();
    await data.close();
  };
  onTestFinished(async () => {
    await close();
    check.expectClean();
  });
  return {
    app,
    config,
    data,
    posthog,
    knownCodes,
    close,
    /** The ledger's lines. */
    lines: () => readLines(config.files.ledger),
    rejected: async () => {
      await data.rejectedBodies.drain();
      return readLines(config.files.rejectedBodies);
    },
    logged: () => messages,
    /** The lines on standard output. */
    mirrored: () => parseLines(mirrored.join('')),
  };
}

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';

/** Sets a browser's User-Agent, because that of `inject` marks a click as a robot's. */
function asBrowser(app: FastifyInstance): void {
  const inject = app.inject.bind(app);
  const injectAsBrowser = (options: InjectOptions | string) => {
    const given = typeof options === 'string' ? { url: options } : options;
    return inject({ ...given, headers: { 'user-agent': BROWSER, ...given.headers } });
  };
  app.inject = injectAsBrowser as typeof app.inject;
}

/** Makes a folder that is removed at the end of the test. */
export function makeDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'data-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** @throws when a line is not JSON, or the last one is incomplete */
export function readLines(file: string): Line[] {
  return existsSync(file) ? parseLines(readFileSync(file, 'utf8')) : [];
}

/** @throws when a line is not JSON, or the last one is incomplete */
export function parseLines(text: string): Line[] {
  if (text !== '' && !text.endsWith('\n'))
    throw new Error(`The last line is incomplete: ${text.slice(-80)}`);
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Makes a complete click. `parts` replaces fields; undefined removes one. */
export function makeBody(parts: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    event: 'hero_cta_click',
    referrer: 'clinic-7',
    ip: '203.0.113.7',
    timestamp: '2026-01-31T09:30:00.000Z',
    page_url: 'https://site.example/?ref=clinic-7',
    user_agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/605.1.15',
    is_mobile: true,
    ...parts,
  };
}
