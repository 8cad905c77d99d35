/** The real app over real files in a folder of its own; requests come through `inject`. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { onTestFinished } from 'vitest';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { buildApp } from '../../../server/app.ts';
import { readBuiltSite } from '../../../server/built-site.ts';
import type { Disk } from '../../../server/clicks/ledger/disk.ts';
import type { Clock } from '../../../server/clock/clock.ts';
import { readConfig } from '../../../server/config.ts';
import { openData } from '../../../server/open-data.ts';
import { makeLog } from '../../../server/process/make-log.ts';
import { openRegistrations } from '../../../server/registrations/open-registrations.ts';
import { makeDist } from './server-dist.ts';

export type Line = Record<string, unknown> & { id: string };

interface Options {
  env?: Record<string, string>;
  site?: Partial<BuiltSite>;
  /** Taken over from an earlier app. */
  dataDir?: string;
  clock?: Clock;
  /** Under the ledger; the real one when left out. */
  disk?: Disk;
  /** False: does not wait until the store has caught up with the ledger. */
  caughtUp?: boolean;
}

/** Ends with the test. What the server logs about itself is in `logged()`. */
export async function startApp({
  env = {},
  site = {},
  dataDir,
  clock,
  disk,
  caughtUp = true,
}: Options = {}) {
  const config = readConfig({
    DATA_DIR: dataDir ?? makeDataDir(),
    DIST_DIR: makeDist(site),
    ...env,
  });
  const messages: Line[] = [];
  const mirrored: string[] = [];
  const log = makeLog(config.logLevel, { write: (line) => messages.push(JSON.parse(line)) });
  const data = await openData(config, log, (text) => mirrored.push(text.toString()), clock, disk);
  if (caughtUp) await data.recorder.drain();
  const builtSite = readBuiltSite(config.distDir);
  const registrations = await openRegistrations(config, builtSite, log, data.clock);
  const app = await buildApp(config, { site: builtSite, log, ...data, registrations });
  asBrowser(app);
  let open = true;
  const close = async () => {
    if (!open) return;
    open = false;
    await app.close();
    await registrations.close();
    await data.close();
  };
  onTestFinished(close);
  return {
    app,
    config,
    data,
    close,
    /** The ledger's lines. */
    lines: () => readLines(config.files.ledger),
    refused: async () => {
      await data.quarantine.drain();
      return readLines(config.files.quarantine);
    },
    logged: () => messages,
    /** What went to standard output, line by line. */
    mirrored: () => parseLines(mirrored.join('')),
  };
}

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';

/** By itself, `inject` sends a User-Agent header of its own, and its clicks would be a robot's. */
function asBrowser(app: FastifyInstance): void {
  const inject = app.inject.bind(app);
  const injectAsBrowser = (options: InjectOptions | string) => {
    const given = typeof options === 'string' ? { url: options } : options;
    return inject({ ...given, headers: { 'user-agent': BROWSER, ...given.headers } });
  };
  app.inject = injectAsBrowser as typeof app.inject;
}

/** Gone when the test is over. */
export function makeDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'data-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** @throws when a line is not JSON, or the last one is not whole */
export function readLines(file: string): Line[] {
  return existsSync(file) ? parseLines(readFileSync(file, 'utf8')) : [];
}

/** @throws when a line is not JSON, or the last one is not whole */
export function parseLines(text: string): Line[] {
  if (text !== '' && !text.endsWith('\n'))
    throw new Error(`The last line is torn: ${text.slice(-80)}`);
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** A complete click; parts of it may be replaced, and taken out with undefined. */
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
