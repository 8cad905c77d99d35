/** Counts clicks by each dimension of the report. */
import type { Texts } from './dictionary.ts';
import {
  AT,
  DEVICES,
  FLAG,
  RECORD_WORDS,
  receivedOf,
  SCREEN_SHIFT,
  SCREENS,
  VIA_SHIFT,
  VIAS,
} from './record.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Bounds of a report in milliseconds since 1970; `from` is included, `to` is not. */
export interface Period {
  from: number;
  to: number;
}

export interface TallyOptions extends Period {
  /** Clicks that were received later form groups of their own. */
  split: number;
}

/**
 * Groups of clicks. Each count is an array with one number per group:
 * (person, robot, person by the mark but a robot by the present list, robot by the mark alone)
 * × (received by `split`, made by then but received later, made later).
 */
export const KINDS = 4;
export const AGES = 3;
export const GROUPS = KINDS * AGES;

export const DIMENSIONS = [
  ...(['day', 'hour', 'event', 'ref', 'campaign', 'domain'] as const),
  ...(['device', 'screen', 'via'] as const),
];
export type Dimension = (typeof DIMENSIONS)[number];
/** For each code of a dimension `GROUPS` numbers. */
export type Counts = Record<Dimension, Float64Array>;

export interface Tally {
  total: Float64Array;
  by: Counts;
  /** By ref × number of events + event: the marked robots are left out. */
  refEvent: Map<number, number>;
  /** By day × number of events + event: the same. */
  dayEvent: Map<number, number>;
  /** Clicks of visitors who asked for privacy, of all kinds. */
  private: Float64Array;
  /** Lines that repeat a click: received by `split`, and later. */
  duplicates: Float64Array;
}

export function sizesOf(texts: Texts, { from, to }: Period): Record<Dimension, number> {
  return {
    day: Math.ceil(to / DAY_MS) - Math.floor(from / DAY_MS),
    hour: 24,
    event: texts.event.length,
    ref: texts.ref.length,
    campaign: texts.campaign.length,
    domain: texts.domain.length,
    device: DEVICES.length,
    screen: SCREENS.length,
    via: VIAS.length,
  };
}

export function emptyTally(texts: Texts, period: Period): Tally {
  const sizes = sizesOf(texts, period);
  const by = Object.fromEntries(
    DIMENSIONS.map((name) => [name, new Float64Array(sizes[name] * GROUPS)]),
  ) as Counts;
  return {
    total: new Float64Array(GROUPS),
    by,
    refEvent: new Map(),
    dayEvent: new Map(),
    private: new Float64Array(GROUPS),
    duplicates: new Float64Array(2),
  };
}

/** Adds the records of a partition. @param isFirst from `markFirst` */
export function addRecords(
  tally: Tally,
  words: Uint32Array,
  isFirst: Uint8Array,
  options: TallyOptions,
  events: number,
): void {
  const { from, to, split } = options;
  const { by } = tally;
  const firstDay = Math.floor(from / DAY_MS);
  const bump = (counts: Float64Array, code: number, group: number) => {
    counts[code * GROUPS + group] = (counts[code * GROUPS + group] as number) + 1;
  };
  for (let record = 0; record < isFirst.length; record += 1) {
    const at = record * RECORD_WORDS;
    const received = receivedOf(words, at);
    if (received < from || received >= to) continue;
    if (!isFirst[record]) {
      bumpOne(tally.duplicates, received <= split ? 0 : 1);
      continue;
    }
    const flags = words[at + AT.flags] as number;
    const group = kindOf(flags) * AGES + ageOf(words, at, received, split);
    const event = eventOf(words, at);
    const ref = words[at + AT.ref] as number;
    const day = Math.floor(received / DAY_MS) - firstDay;
    bump(tally.total, 0, group);
    bump(by.day, day, group);
    bump(by.hour, Math.floor((received % DAY_MS) / HOUR_MS), group);
    bump(by.event, event, group);
    bump(by.ref, ref, group);
    bump(by.campaign, words[at + AT.campaign] as number, group);
    bump(by.domain, words[at + AT.domain] as number, group);
    bump(by.device, deviceOf(flags), group);
    bump(by.screen, screenOf(flags), group);
    bump(by.via, viaOf(flags), group);
    if (flags & FLAG.private) bump(tally.private, 0, group);
    if (flags & FLAG.robot || received > split) continue;
    bumpKey(tally.refEvent, ref * events + event);
    bumpKey(tally.dayEvent, day * events + event);
  }
}

export function addTally(sum: Tally, part: Tally): void {
  const add = (a: Float64Array, b: Float64Array) => {
    for (let i = 0; i < a.length; i += 1) a[i] = (a[i] as number) + (b[i] as number);
  };
  add(sum.total, part.total);
  add(sum.private, part.private);
  add(sum.duplicates, part.duplicates);
  for (const name of DIMENSIONS) add(sum.by[name], part.by[name]);
  for (const name of ['refEvent', 'dayEvent'] as const)
    for (const [key, n] of part[name]) sum[name].set(key, (sum[name].get(key) ?? 0) + n);
}

export const eventOf = (words: Uint32Array, at: number): number =>
  (words[at + AT.event] as number) & 0xffff;
export const deviceOf = (flags: number): number =>
  flags & FLAG.mobile ? 1 : flags & FLAG.desktop ? 2 : 0;
export const screenOf = (flags: number): number => (flags >>> SCREEN_SHIFT) & 0xff;
export const viaOf = (flags: number): number => (flags >>> VIA_SHIFT) & 0xff;
export const kindOf = (flags: number): number =>
  flags & FLAG.robot ? (flags & FLAG.listed ? 1 : 3) : flags & FLAG.listed ? 2 : 0;

/** 0: received by then; 1: made by then, but received later; 2: made later. */
export function ageOf(words: Uint32Array, at: number, received: number, split: number): number {
  if (received <= split) return 0;
  return received - (words[at + AT.delay] as number) <= split ? 1 : 2;
}

function bumpOne(counts: Float64Array, i: number): void {
  counts[i] = (counts[i] as number) + 1;
}

function bumpKey(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
