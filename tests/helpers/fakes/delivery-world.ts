/**
 * A fake of one browser with several tabs, and of the server that gets their clicks. The test
 * controls every fault.
 */

import { createDelivery } from '#browser/clicks/deliver.ts';
import { createIpLookup } from '#browser/clicks/ip-lookup.ts';
import { createOutbox } from '#browser/clicks/outbox.ts';
import type { ClickBody } from '#contract/click-fields.schema.ts';
import { clickAt } from './clicks.ts';

type Received = ClickBody & { id: string; dropped?: number };

/** How the server answers one request. */
export interface Answer {
  status: number;
  /**
   * Body in place of the server's own JSON. With status 200 and without a body, the server stores
   * the click.
   */
  body?: string;
  /** Content type of the body. */
  type?: string;
  retryAfter?: string;
  /** The server stores the click, but the connection breaks before its answer. */
  isLost?: boolean;
  /** The server accepts the connection and never answers. */
  isSilent?: boolean;
}

const OK: Answer = { status: 200 };

const neverAnswer = (signal: AbortSignal | null | undefined): Promise<Response> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });

export class World {
  /** Clicks that the server has stored from requests of `fetch`, repetitions included. */
  readonly received: Received[] = [];
  readonly beacons: Received[] = [];
  /** Number of requests of `fetch`. */
  requests = 0;
  isDown = false;
  /** Whether requests outlive their tab. */
  hasKeepalive = true;
  /** The visitor has opted out. */
  hasOptedOut = false;
  isLoaded = true;
  /** Whether a firewall blocks a click. */
  isStopped: (click: Received) => boolean = () => false;
  /** Answers to the next requests. When there are none left, the server stores each click. */
  answers: Answer[] = [];
  /** Response time of the IP look-up; null: the site has no look-up. */
  lookupMs: number | null = null;
  readonly storage: Storage | null;
  private lockHolder: unknown = null;

  /** By default, the storage is Node's own, which is in memory. It is emptied first. */
  constructor(storage: Storage | null = sessionStorage) {
    this.storage = storage;
    storage?.clear();
  }

  /** Returns the ids of all clicks that the server has, from requests or beacons. */
  ids(): Set<string> {
    return new Set([...this.received, ...this.beacons].map((click) => click.id));
  }

  /** Makes a suspended tab hold the lock of the outbox. */
  lockHeldForEver(): void {
    this.lockHolder = 'a suspended tab';
  }

  readonly fetch = async (url: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    if (String(url).includes('lookup')) return this.lookUp(init?.signal);
    this.requests += 1;
    if (this.isDown) throw new TypeError('Failed to fetch');
    const click: Received = JSON.parse(String(init?.body));
    if (this.isStopped(click)) return new Response('Forbidden', { status: 403 });
    const { status, body, type, retryAfter, isLost, isSilent } = this.answers.shift() ?? OK;
    if (isSilent) return neverAnswer(init?.signal);
    const isTaken = status === 200 && body === undefined;
    if (isTaken) this.received.push(click);
    if (isLost) throw new TypeError('Failed to fetch');
    const serverJson = isTaken
      ? { status: 'logged', id: click.id }
      : { error: { code: 'from_the_test', message: '' } };
    const text = status === 204 ? null : (body ?? JSON.stringify(serverJson));
    const headers = { 'content-type': type ?? 'application/json', 'retry-after': retryAfter ?? '' };
    return new Response(text, { status, headers });
  };

  /**
   * Accepts a beacon. While the network is down, the beacon is lost, and the tab does not learn it.
   */
  readonly sendBeacon = (_url: string, json: string): boolean => {
    if (!this.isDown) this.beacons.push(JSON.parse(json));
    return true;
  };

  /** Returns the lock manager of one tab. */
  locksOf(tab: unknown): Pick<LockManager, 'request'> {
    const request = async (
      name: string,
      _options: LockOptions,
      work: (lock: Lock | null) => unknown,
    ): Promise<unknown> => {
      if (this.lockHolder) return work(null);
      this.lockHolder = tab;
      try {
        return await work({ name, mode: 'exclusive' });
      } finally {
        this.freeLock(tab);
      }
    };
    return { request } as unknown as LockManager;
  }

  /** Releases the lock if the tab holds it, as the browser does when a tab ends. */
  freeLock(tab: unknown): void {
    if (this.lockHolder === tab) this.lockHolder = null;
  }

  private lookUp(signal: AbortSignal | null | undefined): Promise<Response> {
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      setTimeout(() => resolve(Response.json({ ip: '203.0.113.7' })), this.lookupMs ?? 0);
    });
  }
}

export type Tab = ReturnType<typeof openTab>;

/** Opens a tab with the real outbox and delivery. */
export function openTab(world: World) {
  const outbox = createOutbox(world.storage, Date.now);
  let isAlive = true;
  /** Stands for this tab as the holder of the lock. */
  const self = {};
  const ipLookup = createIpLookup(
    world.lookupMs === null ? null : 'https://lookup.example/',
    world.fetch as typeof fetch,
    () => world.hasOptedOut,
  );
  const delivery = createDelivery({
    outbox,
    ipLookup,
    // A crashed tab gets no answers, but its requests still arrive.
    fetch: ((url, init) =>
      isAlive
        ? world.fetch(url, init).then((answer) => (isAlive ? answer : new Promise(() => {})))
        : new Promise(() => {})) as typeof fetch,
    sendBeacon: world.sendBeacon,
    hasKeepalive: world.hasKeepalive,
    locks: world.locksOf(self),
    isLoaded: () => world.isLoaded,
    // A crashed tab does nothing more, like one whose visitor has opted out.
    hasOptedOut: () => !isAlive || world.hasOptedOut,
    now: Date.now,
    random: () => 0.5,
  });
  return {
    outbox,
    delivery,
    /** Makes a click of now and passes it to the delivery, as the page's module does. */
    click() {
      const click = clickAt(Date.now());
      delivery.accept(click);
      return click;
    },
    /** Ends the tab without an event of the page's life cycle. */
    crash() {
      isAlive = false;
      world.freeLock(self);
    },
  };
}
