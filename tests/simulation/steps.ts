/**
 * The steps of a run: what visitors, operators and the environment may do. Each step draws its
 * details from its own seed, so that steps can be left out of a list.
 */
import { CTA_EVENTS } from '#contract/cta.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../server/time.ts';
import { advance, leap, settle, time } from './clock.ts';
import { NEW_EVENT, setKnown } from './new-button.ts';
import { observe } from './observe.ts';
import {
  backUp,
  confirmRetention,
  deleteRegistration,
  forgetVisit,
  rebuildTable,
} from './operator.ts';
import { random } from './random.ts';
import { UNKNOWN_MAILBOX } from './smtp.ts';
import { openTab, type Tab, type Visitor } from './visitors.ts';
import { drawWeather } from './weather.ts';
import type { World } from './world.ts';

export interface Step {
  what: StepName;
  seed: number;
}

type Act = (world: World) => Promise<unknown> | unknown;
type StepName = keyof typeof ACTS;

/**
 * Addresses to register: five spellings of one mailbox, another one, and one that does not exist.
 */
const ADDRESSES = [
  'ana@mail.example',
  'Ana@mail.example',
  'ana+1@mail.example',
  'ana+2@mail.example',
  'a.na@mail.example',
  'ben@mail.example',
  UNKNOWN_MAILBOX,
];

/** Draws a visitor and one of the visitor's tabs, which it may open first. */
function drawTab(world: World): { visitor: Visitor; tab: Tab } {
  const visitor = random.pick(world.visitors);
  if (visitor.tabs.length === 0 || random.chance(0.15)) visitor.tabs.push(openTab(world, visitor));
  return { visitor, tab: random.pick(visitor.tabs) };
}

const drawServer = (world: World) => random.pick(world.servers);

function optOut({ book }: World, visitor: Visitor): void {
  visitor.hasOptedOut = true;
  for (const tab of visitor.tabs) tab.delivery.discard();
  const visits = new Set([...visitor.ended, ...visitor.tabs.map(({ visitId }) => visitId)]);
  for (const press of book.pressed.values()) if (visits.has(press.visitId)) press.isOwed = false;
}

/** Lets days pass in 30 strides, so that few timers run. */
const sleep = (world: World, days: number) => leap(days * DAY_MS, 30, () => observe(world));

/** Shuts one server down, and starts it again. */
async function deploy(world: World): Promise<void> {
  const stopped = drawServer(world).stop();
  await advance(5 * SECOND_MS);
  await stopped;
  await world.startServers();
}

const ACTS = {
  press: (world) => drawTab(world).tab.press(random.pick(CTA_EVENTS)),
  pressTwice: (world) => {
    const { tab } = drawTab(world);
    tab.press('hero_cta_click');
    tab.press('lower_cta_click');
  },
  view: (world) => drawTab(world).tab.view(),
  viewBriefly: (world) => {
    const visitor = random.pick(world.visitors);
    const tab = openTab(world, visitor);
    visitor.tabs.push(tab);
    // Some visitors leave before the page has sent its view.
    if (random.chance(0.8)) tab.view();
    tab.closeAtOnce();
  },
  watchFilm: (world) => drawTab(world).tab.track('video_played'),
  register: (world) => void drawTab(world).tab.register(random.pick(ADDRESSES)),
  wait: () => advance(random.pick([0, 1, 250, SECOND_MS, 5 * SECOND_MS, MINUTE_MS])),
  waitLong: () => advance(random.pick([10 * MINUTE_MS, HOUR_MS])),
  sleep: (world) => sleep(world, random.pick([0.5, 1, 3])),
  sleepLong: async (world) => {
    if (random.chance(0.3)) await sleep(world, random.pick([6, 9, 12]));
  },
  changeWeather: (world) => {
    world.weather = drawWeather();
  },
  hide: (world) => drawTab(world).tab.hide(),
  show: (world) => drawTab(world).tab.show(),
  close: (world) => drawTab(world).tab.close(),
  crash: (world) => drawTab(world).tab.crash(),
  load: (world) => drawTab(world).tab.load(),
  goOffline: (world) => drawTab(world).tab.setOnline(false),
  goOnline: (world) => drawTab(world).tab.setOnline(true),
  killServer: (world) => drawServer(world).kill(),
  startServers: (world) => world.startServers(),
  deploy,
  changeDatabase: (world) => {
    world.isDatabaseDown = random.chance(0.3);
  },
  changePosthog: (world) => {
    world.posthog.isDown = random.chance(0.3);
  },
  changeMail: (world) => {
    world.mails.isDown = random.chance(0.3);
  },
  changeStorage: (world) => {
    const { storage } = random.pick(world.visitors);
    storage.isFull = random.chance(0.2);
    storage.isRefused = random.chance(0.1);
  },
  optOut: (world) => {
    if (random.chance(0.05)) optOut(world, random.pick(world.visitors));
  },
  pressNewButton: (world) => drawTab(world).tab.press(NEW_EVENT),
  changeVersion: () => setKnown(random.chance(0.7)),
  confirmRetention,
  forget: async (world) => {
    const { ended } = random.pick(world.visitors);
    if (ended.length > 0) await forgetVisit(world, random.pick(ended));
  },
  deleteRegistration: (world) => deleteRegistration(world, random.pick(ADDRESSES)),
  backUp,
  rebuildTable: async (world) => {
    if (random.chance(0.3)) await rebuildTable(world);
  },
  /** Frees all locks of jobs, as a lost connection to PostgreSQL does: two servers may do a job. */
  loseLock: (world) => {
    world.database.leaders.clear();
    world.disturb(MINUTE_MS);
  },
} satisfies Record<string, Act>;

const WEIGHTS: Partial<Record<StepName, number>> = { press: 4, wait: 4, startServers: 2, view: 2 };
const NAMES = (Object.keys(ACTS) as StepName[]).flatMap((name) =>
  Array.from({ length: WEIGHTS[name] ?? 1 }, () => name),
);

/** Draws the steps of a seed. */
export function drawSteps(seed: number, count: number): Step[] {
  random.reseed(seed ^ 0x5eed);
  return Array.from({ length: count }, () => ({
    what: random.pick(NAMES),
    seed: Math.floor(random.next() * 2 ** 32),
  }));
}

/** Performs one step, and observes its effects. */
export async function takeStep(world: World, { what, seed }: Step): Promise<void> {
  random.reseed(seed);
  await (ACTS[what] as Act)(world);
  await settle(4);
  observe(world);
}

/**
 * Ends a run: all faults end, open tabs send, each visitor opens the site once more, and time
 * passes until nothing should wait any more.
 */
export async function calmDown(world: World, calm: World['weather']): Promise<void> {
  random.reseed(1);
  setKnown(true);
  world.weather = { ...calm };
  world.isDatabaseDown = false;
  world.posthog.isDown = false;
  world.mails.isDown = false;
  for (const { storage } of world.visitors) {
    storage.isFull = false;
    storage.isRefused = false;
  }
  await world.startServers();
  await expectOpenTabsToSend(world);
  for (const visitor of world.visitors) {
    for (const tab of visitor.tabs) tab.crash();
    const tab = openTab(world, visitor);
    visitor.tabs = [tab];
    tab.load();
    tab.show();
  }
  world.openedAt = time();
  for (let i = 0; i < 5; i += 1) await advance(5 * MINUTE_MS);
  await leap(6 * HOUR_MS, 36, () => observe(world));
}

/** Checks that tabs which stay open and online send their clicks, without an event of the page. */
async function expectOpenTabsToSend(world: World): Promise<void> {
  const { book, visitors } = world;
  // Visitors whose storage was refused are left out: their tabs may have found nothing to send, and
  // then wait for the next event.
  const steady = visitors.filter(({ storage }) => !storage.wasRefused);
  const open = steady.flatMap(({ tabs }) => tabs.filter((tab) => tab.isOnline()));
  const visits = new Set(open.map(({ visitId }) => visitId));
  const since = time() - 6 * DAY_MS;
  for (let i = 0; i < 4; i += 1) await advance(5 * MINUTE_MS);
  for (const [core, { id, visitId, isOwed, at }] of book.pressed)
    if (visits.has(visitId) && isOwed && at > since && !book.acknowledged.has(core))
      book.complain(`an open tab does not send: ${id}`);
}
