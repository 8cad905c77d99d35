/** Several tabs of one browser, and their server. The test controls every fault. */

import { createDelivery } from '#browser/clicks/deliver.ts';
import { createIpLookup } from '#browser/clicks/ip-lookup.ts';
import { createOutbox } from '#browser/clicks/outbox.ts';
import type { ClickBody } from '#contract/click-fields.schema.ts';
import { clickAt } from './clicks.ts';

type Received = ClickBody & { id: string; dropped?: number };

export interface Answer {
  status: number;
  /**
   * JSON text that replaces the server's own. A 200 without it means that the server has taken the
   * click.
   */
  body?: string;
  /** Content type of the body. */
  type?: string;
  retryAfter?: string;
  /** The server takes the click, but the connection breaks before its answer. */
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
  /** Clicks that the server took by fetch, repetitions included. */
  readonly received: Received[] = [];
  readonly beacons: Received[] = [];
  /** Number of attempts to send. */
  requests = 0;
  isDown = false;
  /** Whether requests outlive their tab. */
  hasKeepalive = true;
  /** The visitor has opted out. */
  hasOptedOut = false;
  isLoaded = true;
  /** Clicks that a firewall always blocks. */
  isStopped: (click: Received) => boolean = () => false;
  /** The next answers. After them, always 200. */
  answers: Answer[] = [];
  /** null: the site has no look-up. */
  lookupMs: number | null = null;
  readonly storage: Storage | null;
  private lockHolder: unknown = null;

  /** Node's storage is in memory, and each world begins with an empty one. */
  constructor(storage: Storage | null = sessionStorage) {
    this.storage = storage;
    storage?.clear();
  }

  /** The ids of the server's clicks, each once. */
  ids(): Set<string> {
    return new Set([...this.received, ...this.beacons].map((click) => click.id));
  }

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
    const own = isTaken
      ? { status: 'logged', id: click.id }
      : { error: { code: 'from_the_test', message: '' } };
    const text = status === 204 ? null : (body ?? JSON.stringify(own));
    const headers = { 'content-type': type ?? 'application/json', 'retry-after': retryAfter ?? '' };
    return new Response(text, { status, headers });
  };

  /** Accepts a beacon also while the network is down; the beacon is then lost without a signal. */
  readonly sendBeacon = (_url: string, json: string): boolean => {
    if (!this.isDown) this.beacons.push(JSON.parse(json));
    return true;
  };

  /** The lock manager of one tab. The browser releases the locks of a tab that ends. */
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

export function openTab(world: World) {
  const outbox = createOutbox(world.storage, Date.now);
  let isAlive = true;
  const me = {};
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
    locks: world.locksOf(me),
    isLoaded: () => world.isLoaded,
    // A crashed tab does nothing more.
    hasOptedOut: () => !isAlive || world.hasOptedOut,
    now: Date.now,
    random: () => 0.5,
  });
  return {
    outbox,
    delivery,
    /**
     * Clicks as the stub does: writes to the storage in the same tick, then passes the click to the
     * pipeline.
     */
    click() {
      const click = clickAt(Date.now());
      delivery.accept(click);
      return click;
    },
    /** Ends the tab without any event. */
    crash() {
      isAlive = false;
      world.freeLock(me);
    },
  };
}
