/**
 * Simulates visitors and the tabs of their browsers: the real outbox and delivery, on a simulated
 * storage and network.
 */
import { createDelivery } from '#browser/clicks/deliver.ts';
import { createIpLookup } from '#browser/clicks/ip-lookup.ts';
import { type Click, makeClick } from '#browser/clicks/make-click.ts';
import { createOutbox } from '#browser/clicks/outbox.ts';
import { OUTBOX_PREFIX } from '#browser/clicks/stub-data.ts';
import { newId as makeId } from '#browser/clicks/uuid-v7.ts';
import { wireBody } from '#browser/posthog/posthog-wire.ts';
import type { CtaEvent } from '#contract/cta.ts';
import type { TrackingEvent } from '#contract/events.ts';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { DAY_MS } from '../../server/time.ts';
import { type BrowserEvent, coreOf } from './book.ts';
import { time } from './clock.ts';
import { post } from './network.ts';
import { makePageView } from './page-view.ts';
import { random } from './random.ts';
import { BROWSER, PAGE_URL, ROBOT } from './site.ts';
import { BrowserStorage } from './storage.ts';
import { never, pass } from './waits.ts';
import type { World } from './world.ts';

export interface Visitor {
  name: string;
  storage: BrowserStorage;
  isPrivate: boolean;
  isInternal: boolean;
  isRobot: boolean;
  /** Whether a program drives the browser. */
  isAutomated: boolean;
  hasOptedOut: boolean;
  /** Milliseconds by which the browser's clock is ahead. */
  skew: number;
  /** Stands for the tab that holds the lock of the outbox; null: none. */
  lockHolder: object | null;
  tabs: Tab[];
  /** Ids of the visits whose tab is closed. */
  ended: string[];
}

export function makeVisitor(name: string, marks: Partial<Visitor>): Visitor {
  return {
    name,
    storage: new BrowserStorage(),
    isPrivate: false,
    isInternal: false,
    isRobot: false,
    isAutomated: false,
    hasOptedOut: false,
    skew: 0,
    lockHolder: null,
    tabs: [],
    ended: [],
    ...marks,
  };
}

export type Tab = ReturnType<typeof openTab>;

/** Pauses between the attempts of posthog-js. After the last attempt it drops its events. */
const EVENT_PAUSES_MS = [3_000, 6_000, 12_000];

/** Opens a tab. Some tabs are still loading. */
export function openTab(world: World, visitor: Visitor) {
  const facts = { is_automated: visitor.isAutomated };
  const state = { isAlive: true, isOnline: true, isLoaded: random.chance(0.7), seq: 0 };
  /** Stands for this tab as the holder of the lock. */
  const self = {};
  const now = () => time() + visitor.skew;
  const newId = () => makeId(now(), random.bytes(16));
  const visitId = newId();
  const userAgent = visitor.isRobot ? ROBOT : BROWSER;
  const headers: Record<string, string> = {
    'user-agent': userAgent,
    ...(visitor.isPrivate && { 'sec-gpc': '1' }),
  };
  const send = (url: string, body: string) => post(world, url, body, headers);
  const fetchOfTab = fetchIn(state, send);
  const sendBeacon = (url: string, json: string) => {
    if (state.isAlive && state.isOnline) void send(url, json).catch(() => {});
  };
  const delivery = createDelivery({
    outbox: createOutbox(visitor.storage, now),
    ipLookup: createIpLookup(null, fetchOfTab, () => visitor.hasOptedOut),
    fetch: fetchOfTab,
    sendBeacon(url, json) {
      sendBeacon(url, json);
      return random.chance(0.95);
    },
    hasKeepalive: true,
    locks: locksOf(visitor, self),
    isLoaded: () => state.isLoaded,
    // A closed tab does nothing more, like one whose visitor has opted out.
    hasOptedOut: () => !state.isAlive || visitor.hasOptedOut,
    now,
    random: random.next,
  });
  /** Does what browser/start-delivery.ts does when a page opens, or is shown or online again. */
  const applyOptOut = () => (visitor.hasOptedOut ? delivery.discard() : delivery.retryNow());
  const view = makePageView(world, visitor, {
    visitId,
    now,
    fetch: fetchOfTab,
    isAlive: () => state.isAlive,
  });
  const tab = {
    visitId,
    delivery,
    isOnline: () => state.isOnline,
    /**
     * Presses a call to action, or lets a script press it. As the inline stub does, stores the
     * click, and while the page loads sends it as a beacon.
     */
    press(event: CtaEvent): string | null {
      if (!state.isAlive || visitor.hasOptedOut) return null;
      state.seq += 1;
      const page = { ref: 'clinic-7', pageUrl: PAGE_URL, visitId, userAgent, facts };
      const click = makeClick(event, page, state.seq, now(), newId());
      if (visitor.isInternal) click.is_internal = true;
      if (random.chance(0.2)) click.is_scripted = true;
      notePress(world, visitor, click, store(visitor, click));
      if (!state.isLoaded) sendBeacon(`${LOG_CTA_PATH}?via=beacon`, JSON.stringify(click));
      delivery.accept(click);
      if (state.isLoaded) void sendEvents([{ uuid: click.id, event: 'cta_click' }]);
      return click.id;
    },
    view: view.send,
    /** Sends an event of the page, as posthog-js does. */
    track(event: TrackingEvent): void {
      if (!state.isAlive || visitor.hasOptedOut || visitor.isPrivate) return;
      const uuid = newId();
      noteEvent(world, visitor, { uuid, name: event, visitId });
      void sendEvents([{ uuid, event }]);
    },
    /** Sends the registration form once. */
    async register(email: string): Promise<void> {
      if (!state.isAlive) return;
      world.book.tries(email);
      const person = { firstName: 'Ana', lastName: 'Sol', email, agreedToTerms: true };
      await fetchOfTab('/api/register', { body: JSON.stringify(person) }).catch(() => {});
    },
    load() {
      state.isLoaded = true;
    },
    hide() {
      delivery.flush();
      view.sendIfFailed();
    },
    show() {
      applyOptOut();
      view.sendIfFailed();
    },
    setOnline(isOnline: boolean) {
      state.isOnline = isOnline;
      if (isOnline) applyOptOut();
    },
    crash() {
      state.isAlive = false;
      if (visitor.lockHolder === self) visitor.lockHolder = null;
      visitor.tabs = visitor.tabs.filter((one) => one !== tab);
      visitor.ended.push(visitId);
    },
    close() {
      tab.hide();
      tab.crash();
    },
    /** Closes the tab as a visitor who leaves within a second, without an input. */
    closeAtOnce() {
      view.sendAsBrief();
      tab.close();
    },
  };
  async function sendEvents(events: { uuid: string; event: TrackingEvent }[]): Promise<void> {
    const entries = events.map((event) => ({ ...event, properties: {}, at: now() }));
    const body = wireBody('phc_simulation', entries, {
      referrer: 'clinic-7',
      visit_id: visitId,
      $current_url: PAGE_URL,
      is_internal: visitor.isInternal,
      ...facts,
    });
    for (const pause of [...EVENT_PAUSES_MS, 0]) {
      const answer = await fetchOfTab('/k/e/?ip=0', { body }).catch(() => null);
      if (answer && answer.status < 500) return;
      await pass(pause);
    }
  }
  return tab;
}

/** Notes a press in the book. @param isStored whether the browser's storage has the click */
function notePress({ book }: World, visitor: Visitor, click: Click, isStored: boolean): void {
  book.times.set(click.id, click.timestamp);
  book.pressed.set(coreOf(click.id), {
    id: click.id,
    visitId: click.visit_id,
    event: click.event,
    at: time(),
    seq: click.seq ?? 0,
    isPrivate: visitor.isPrivate,
    isInternal: visitor.isInternal,
    isBot: visitor.isRobot,
    isAutomated: visitor.isAutomated,
    isScripted: click.is_scripted ?? false,
    isAhead: visitor.skew > DAY_MS,
    isOwed: isStored,
  });
}

/** Notes an event of a page in the book. */
function noteEvent(
  { book }: World,
  visitor: Visitor,
  event: Pick<BrowserEvent, 'uuid' | 'name' | 'visitId'>,
): void {
  book.events.set(event.uuid, {
    ...event,
    isPrivate: visitor.isPrivate,
    isLeftOut: visitor.isInternal || visitor.isRobot,
    isAutomated: visitor.isAutomated,
    isAhead: visitor.skew > DAY_MS,
    isAcknowledged: false,
    copies: 0,
  });
}

interface TabState {
  isAlive: boolean;
  isOnline: boolean;
}

/** Returns the `fetch` of a tab. A closed tab gets no answers, but its requests still arrive. */
function fetchIn(state: TabState, send: (url: string, body: string) => Promise<Response>) {
  return (async (url: RequestInfo | URL, init?: RequestInit) => {
    if (!state.isAlive) return never();
    if (!state.isOnline) throw new TypeError('Failed to fetch');
    const aborted = new Promise<never>((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () =>
        reject(new DOMException('The tab has given up', 'AbortError')),
      );
    });
    const answer = await Promise.race([send(String(url), String(init?.body)), aborted]);
    return state.isAlive ? answer : never();
  }) satisfies typeof fetch;
}

/** Returns the lock manager of a tab. Its lock is the visitor's `lockHolder`. */
function locksOf(visitor: Visitor, tab: object): Pick<LockManager, 'request'> {
  const request = async (
    _name: string,
    _options: LockOptions,
    work: (lock: object | null) => unknown,
  ): Promise<unknown> => {
    if (visitor.lockHolder) return work(null);
    visitor.lockHolder = tab;
    try {
      return await work({});
    } finally {
      if (visitor.lockHolder === tab) visitor.lockHolder = null;
    }
  };
  return { request } as unknown as LockManager;
}

/** Stores a click as the inline stub does. @returns false if the storage is full or refused */
function store({ storage }: Visitor, click: Click): boolean {
  try {
    storage.setItem(OUTBOX_PREFIX + click.id, JSON.stringify(click));
    return true;
  } catch {
    return false;
  }
}
