/** Several tabs of one browser and the server they deliver to; every fault is in the test's hand. */
import type { ClickBody } from '#contract/log-cta.schema.ts';
import { createDelivery, type Delivery } from '#tracking/deliver.ts';
import { createIpLookup } from '#tracking/ip-lookup.ts';
import type { Click } from '#tracking/make-click.ts';
import { createOutbox, type Outbox } from '#tracking/outbox.ts';
import { clickAt } from './clicks.ts';
import { memoryStorage } from './storages.ts';

type Received = ClickBody & { id: string; dropped?: number };

interface Answer {
  status: number;
  retryAfter?: string;
  /** The server has taken the click, but nobody hears its answer. */
  isLost?: boolean;
}

export class World {
  /** What was taken by fetch, repeats included. */
  readonly received: Received[] = [];
  readonly beacons: Received[] = [];
  /** Attempts that reached for the network. */
  requests = 0;
  isDown = false;
  isLoaded = true;
  /** The next answers; then always 200. */
  answers: Answer[] = [];
  lookupMs: number | null = null;
  readonly storage: Storage | null;
  private lockHolder: unknown = null;
  private clicks = 0;

  constructor({ storage = memoryStorage() }: { storage?: Storage | null } = {}) {
    this.storage = storage;
  }

  /** Every click the server has, each once. */
  ids(): Set<string> {
    return new Set([...this.received, ...this.beacons].map((click) => click.id));
  }

  lockHeldForEver(): void {
    this.lockHolder = 'a suspended tab';
  }

  nextClick(): Click {
    this.clicks += 1;
    return clickAt(Date.now(), this.clicks);
  }

  readonly fetch = async (url: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    if (String(url).includes('lookup')) return this.lookUp(init?.signal);
    this.requests += 1;
    if (this.isDown) throw new TypeError('Failed to fetch');
    const answer = this.answers.shift() ?? { status: 200 };
    if (answer.status < 300) this.received.push(JSON.parse(String(init?.body)));
    if (answer.isLost) throw new TypeError('Failed to fetch');
    const headers = answer.retryAfter ? { 'retry-after': answer.retryAfter } : {};
    return new Response(answer.status === 204 ? null : '{}', { status: answer.status, headers });
  };

  /** The browser takes a beacon also when the network is away, and then nobody ever hears of it. */
  readonly sendBeacon = (_url: string, json: string): boolean => {
    if (!this.isDown) this.beacons.push(JSON.parse(json));
    return true;
  };

  readonly request = async (
    _name: string,
    _options: LockOptions,
    work: (lock: Lock | null) => unknown,
  ): Promise<unknown> => {
    if (this.lockHolder) return work(null);
    const me = {};
    this.lockHolder = me;
    try {
      return await work({ name: _name, mode: 'exclusive' });
    } finally {
      if (this.lockHolder === me) this.lockHolder = null;
    }
  };

  /** The browser gives back the lock of a tab that dies. */
  freeLock(): void {
    this.lockHolder = null;
  }

  private lookUp(signal: AbortSignal | null | undefined): Promise<Response> {
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      if (this.lookupMs === null) return reject(new TypeError('Blocked'));
      setTimeout(() => resolve(Response.json({ ip: '203.0.113.7' })), this.lookupMs);
    });
  }
}

export interface Tab {
  outbox: Outbox;
  delivery: Delivery;
  /** As the stub does it: into the storage in the same tick, then to the pipeline. */
  click(): Click;
  /** Gone, without a word. */
  crash(): void;
}

export function openTab(world: World): Tab {
  const outbox = createOutbox(world.storage, Date.now);
  let isAlive = true;
  const lookup = createIpLookup(
    world.lookupMs === null ? null : 'https://lookup.example/',
    world.fetch as typeof fetch,
  );
  const delivery = createDelivery({
    outbox,
    lookup,
    // A tab that has crashed gets no answers; what it had sent is on its way all the same.
    fetch: ((url, init) =>
      isAlive
        ? world.fetch(url, init).then((answer) => (isAlive ? answer : new Promise(() => {})))
        : new Promise(() => {})) as typeof fetch,
    sendBeacon: world.sendBeacon,
    locks: { request: world.request } as unknown as LockManager,
    isLoaded: () => world.isLoaded,
    now: Date.now,
    random: () => 0.5,
  });
  return {
    outbox,
    delivery,
    click() {
      const click = world.nextClick();
      delivery.accept(click);
      return click;
    },
    crash() {
      isAlive = false;
      delivery.stop();
      world.freeLock();
    },
  };
}
