/**
 * A public site on this machine, for tests of the hourly walk: the real app and build, behind a
 * proxy that plants faults into the answers, and a partner's portal.
 */
import { cpSync, readdirSync, statSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { basename, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { readBuiltSite } from '../../../server/built-site.ts';
import { DAY_MS, SECOND_MS } from '../../../server/time.ts';
import type { Certificate } from '../../../server/watch/certificate.ts';
import { openSiteWatch } from '../../../server/watch/open-site-watch.ts';
import type { WalkParts } from '../../../server/watch/walk-site.ts';
import type { Answer, Outcome, Plant } from '../fakes/site-faults/plant.ts';
import { buildSite } from '../run/build-sites.ts';
import { startLocalServer } from './local-server.ts';
import { lookHere } from './read-in-process.ts';
import { ADMIN_PASSWORD } from './scrape.ts';
import { makeDataDir, type Site, startApp } from './server-app.ts';
import { makeDist } from './server-dist.ts';

const DIST = await buildSite('form');
export const SITE_URL = 'https://site.example';
export const NOON = Date.parse('2026-11-20T12:00:00Z');
/** A signal that never aborts. */
export const NEVER = new AbortController().signal;
/** A certificate that is valid for 60 more days. */
export const VALID: Certificate = {
  validFrom: NOON - 30 * DAY_MS,
  validTo: NOON + 60 * DAY_MS,
  refusedWith: null,
};
const PORTAL_PAGE: Answer = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('Create your account'),
};

/**
 * Matches the files of a partial build, which is walked faster: the landing pages, one help page,
 * and a file of each kind. It also has CHUNKS files of scripts that load late.
 */
const PART =
  /^(?:(?:es\/)?(?:help\/who\/)?(?:index|404)\.html|assets\/entries\/pages_index_client.*|.*page\..*\.css|.*\/newsreader.*|.*film\.mp4)$/;
const CHUNKS = 2;

/** Copies the real build, or a part of it, with a public address in its settings. */
function publicDist(isPart: boolean): string {
  const built = readBuiltSite(DIST);
  const dist = makeDist({ ...built, siteUrl: SITE_URL, exampleKeys: [], exampleNames: [] });
  const from = join(DIST, 'client');
  const chunks = readdirSync(join(from, 'assets/chunks')).slice(0, CHUNKS);
  const isWanted = (name: string) => !isPart || PART.test(name) || chunks.includes(basename(name));
  const filter = (file: string) => statSync(file).isDirectory() || isWanted(relative(from, file));
  cpSync(from, join(dist, 'client'), { recursive: true, filter });
  cpSync(join(DIST, 'answers'), join(dist, 'answers'), { recursive: true });
  return dist;
}

export interface World {
  /** The planted fault. */
  plant: Plant;
  /** The clock of the walk, in milliseconds since 1970. */
  now: number;
  /** Times of the requests to the portal. */
  portalRequests: number[];
}

/**
 * Starts the app, and a proxy in front of it and of the portal that plants a fault into their
 * answers. The walk's `fetch` sends requests for their public addresses to the proxy.
 *
 * @param isPart whether the site has only a part of the build
 * @param more further settings of the server
 */
export async function openWorld({ isPart = true, more = {} as Record<string, string> } = {}) {
  const world: World = { plant: (_, answer) => answer, now: NOON, portalRequests: [] };
  const server = await startLocalServer((request, response) => listener(request, response));
  onTestFinished(server.close);
  const walk = {
    now: () => world.now,
    readCertificate: async () => VALID,
    timeoutMs: 5000,
    fetch: sendTo(server.port),
  };
  const distDir = publicDist(isPart);
  const env = { DIST_DIR: distDir, ADMIN_PASSWORD, ...more };
  const senders = { reports: { look: lookHere, now: walk.now } };
  const site = await startApp({ env, walk, senders });
  const listener = plantInto(world, site);
  /** Opens another server's watch, which has made no walk yet. */
  const openWatch = (more: Partial<WalkParts> = {}, dataDir = makeDataDir()) => {
    const files = { ...site.config.files, siteWalk: join(dataDir, 'site-walk.json') };
    const parts = { settings: { files }, site: readBuiltSite(distDir), distDir, db: site.data.db };
    const watch = openSiteWatch({
      ...parts,
      log: site.app.log as never,
      now: walk.now,
      walk: { ...walk, ...more },
    });
    if (!watch) throw new Error('The site is local.');
    return watch;
  };
  return { world, site, openWatch };
}

/** Returns a `fetch` that sends all requests to the proxy, and marks those for the portal. */
const sendTo =
  (port: number): typeof fetch =>
  (input, init) => {
    const url = new URL(String(input));
    const isPortal = String(url.host === 'portal.example');
    const headers = { ...init?.headers, 'x-is-portal': isPortal };
    return fetch(`http://127.0.0.1:${port}${url.pathname}${url.search}`, { ...init, headers });
  };

/** Returns the listener of the proxy. */
function plantInto(world: World, { app }: Site): RequestListener {
  const known = new Map<string, Answer>();
  const askApp = async ({ method, url = '', headers }: IncomingMessage, payload: string) => {
    const userAgent = { 'user-agent': headers['user-agent'] };
    const contentType = { 'content-type': headers['content-type'] };
    const body = method === 'POST' ? { payload } : {};
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: method === 'POST' ? { ...userAgent, ...contentType } : userAgent,
      ...body,
    });
    const entries = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
    const { statusCode: status, rawPayload } = answer;
    return { status, headers: Object.fromEntries(entries), body: rawPayload } as Answer;
  };
  return async (request, response) => {
    const { method = 'GET', headers } = request;
    const url = new URL(request.url ?? '', SITE_URL);
    const isPortal = headers['x-is-portal'] === 'true';
    if (isPortal) world.portalRequests.push(world.now);
    const key = `${method} ${url.pathname}`;
    const healthy =
      (isPortal ? PORTAL_PAGE : known.get(key)) ?? (await askApp(request, await text(request)));
    if (method !== 'POST' && !url.pathname.startsWith('/r/')) known.set(key, healthy);
    const isPhone = /iPhone/.test(headers['user-agent'] ?? '');
    const asked = { method, path: url.pathname, query: url.searchParams, isPhone, isPortal };
    reply(response, world.plant(asked, healthy), method);
  };
}

function reply(response: ServerResponse, outcome: Outcome, method: string): void {
  if (outcome === 'silence') return;
  if (outcome === 'reset') return void response.destroy();
  const { 'content-length': length, ...headers } = outcome.headers;
  const bytes = method === 'HEAD' ? length : String(outcome.body.length);
  response.writeHead(outcome.status, { ...headers, ...(bytes && { 'content-length': bytes }) });
  response.end(method === 'HEAD' ? undefined : outcome.body);
}

/**
 * Lets time pass: runs a step every 20 s of the world's clock, as the scheduler does.
 *
 * @param isOver whether to end early
 */
export async function pass(
  world: World,
  ms: number,
  step: () => Promise<unknown>,
  isOver = () => false,
): Promise<void> {
  const end = world.now + ms;
  while (world.now < end && !isOver()) {
    await step();
    world.now += 20 * SECOND_MS;
  }
}
