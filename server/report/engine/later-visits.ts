/**
 * Finds the clicks of visits with more than one click, for the gaps in their numbers. Most visits have one click with the
 * number 1, which proves nothing, so only the others are kept: 8 bytes for each of their clicks.
 */
import type { NumberedClick } from '../seq-gaps.ts';
import { dayOf } from '../weeks.ts';
import { AT, FLAG, RECORD_WORDS, receivedOf } from './record.ts';

/**
 * Marks of visits with a click after the first one: one bit of 2^25 for each visit. Other visits may have the same bit. Their
 * clicks are then kept too, and change nothing.
 */
export type LaterVisits = Uint32Array;
const BITS = 2 ** 25;

export const noLaterVisits = (): LaterVisits => new Uint32Array(BITS / 32);

/** Marks the visit of a record. */
export function noteLaterClick(visits: LaterVisits, words: Uint32Array): void {
  if (numberOf(words, 0) < 2 || !hasVisit(words, 0)) return;
  const bit = bitOf(words, 0);
  visits[bit >>> 5] = (visits[bit >>> 5] as number) | (1 << (bit & 31));
}

/** @returns the marks of all threads; null: there are none */
export function joinLaterVisits(parts: readonly LaterVisits[]): LaterVisits | null {
  const all = noLaterVisits();
  for (const part of parts)
    for (let i = 0; i < part.length; i += 1) all[i] = (all[i] as number) | (part[i] as number);
  return all.some((marks) => marks !== 0) ? all : null;
}

const isMarked = (visits: LaterVisits, words: Uint32Array, at: number): boolean => {
  const bit = bitOf(words, at);
  return ((visits[bit >>> 5] as number) & (1 << (bit & 31))) !== 0;
};

/** The last 25 of the 62 random bits of the visit's id. */
const bitOf = (words: Uint32Array, at: number): number =>
  (words[at + AT.visit + 3] as number) & (BITS - 1);

const numberOf = (words: Uint32Array, at: number): number =>
  (words[at + AT.event] as number) >>> 16;
const hasVisit = (words: Uint32Array, at: number): boolean =>
  ((words[at + AT.flags] as number) & FLAG.visit) !== 0;

const DAY_MS = 86_400_000;
/** Bits of a kept click, the high ones first: 44 random ones of the visit's id, the click's number, and its day. */
const [NUMBER_BITS, DAY_BITS] = [8, 12];
const [MAX_NUMBER, MAX_DAYS] = [2 ** NUMBER_BITS - 1, 2 ** DAY_BITS];

/**
 * Takes the clicks of marked visits from a partition, without those of robots and without numbers above 255.
 *
 * @param isFirst from `markFirst`
 */
export function takeNumbered(
  words: Uint32Array,
  isFirst: Uint8Array,
  visits: LaterVisits,
): BigUint64Array {
  const taken = new Uint32Array(2 * isFirst.length);
  let size = 0;
  for (let record = 0; record < isFirst.length; record += 1) {
    const at = record * RECORD_WORDS;
    const number = numberOf(words, at);
    if (!isFirst[record] || number === 0 || number > MAX_NUMBER || !hasVisit(words, at)) continue;
    if ((words[at + AT.flags] as number) & FLAG.robot || !isMarked(visits, words, at)) continue;
    const visit = (words[at + AT.visit + 2] as number) << (NUMBER_BITS + DAY_BITS);
    const day = Math.floor(receivedOf(words, at) / DAY_MS) % MAX_DAYS;
    // Little-endian, as all of Node's machines: the low word first.
    taken[size] = visit | (number << DAY_BITS) | day;
    taken[size + 1] = words[at + AT.visit + 3] as number;
    size += 2;
  }
  return new BigUint64Array(taken.slice(0, size).buffer);
}

/** Visits are sorted in eight parts, by the first three random bits, so that fewer clicks are copied at the same time. */
const PARTS = 8;
const partOf = (high: number): number => high >>> 29;

/**
 * @param lists from `takeNumbered`
 * @param until milliseconds since 1970; the clicks are at most eleven years older
 * @returns for each visit, its clicks in the order of their numbers
 */
export function* groupByVisit(
  lists: readonly BigUint64Array[],
  until: number,
): Generator<NumberedClick[]> {
  const words = lists.map((list) => new Uint32Array(list.buffer));
  const toDay = dayReader(until);
  for (let part = 0; part < PARTS; part += 1) yield* readVisits(sortPart(words, part), toDay);
}

/** @returns pairs of words, the low one first */
function sortPart(lists: readonly Uint32Array[], part: number): Uint32Array {
  let size = 0;
  for (const words of lists)
    for (let at = 1; at < words.length; at += 2)
      if (partOf(words[at] as number) === part) size += 2;
  const all = new Uint32Array(size);
  let end = 0;
  for (const words of lists) {
    for (let at = 1; at < words.length; at += 2) {
      if (partOf(words[at] as number) !== part) continue;
      all[end] = words[at - 1] as number;
      all[end + 1] = words[at] as number;
      end += 2;
    }
  }
  new BigUint64Array(all.buffer).sort();
  return all;
}

function* readVisits(words: Uint32Array, toDay: (bits: number) => string) {
  const VISIT_SHIFT = NUMBER_BITS + DAY_BITS;
  let clicks: NumberedClick[] = [];
  for (let at = 0; at < words.length; at += 2) {
    const low = words[at] as number;
    clicks.push({ seq: (low >>> DAY_BITS) & MAX_NUMBER, day: toDay(low % MAX_DAYS) });
    const next = words[at + 2] ?? 0;
    const goesOn = words[at + 3] === words[at + 1] && next >>> VISIT_SHIFT === low >>> VISIT_SHIFT;
    if (at + 2 < words.length && goesOn) continue;
    yield clicks;
    clicks = [];
  }
}

/** @returns a function that makes a date from the last 12 bits of a day's number */
function dayReader(until: number): (bits: number) => string {
  const last = Math.floor(until / DAY_MS);
  const days = new Map<number, string>();
  return (bits) => {
    const known = days.get(bits);
    if (known !== undefined) return known;
    const age = (((last - bits) % MAX_DAYS) + MAX_DAYS) % MAX_DAYS;
    const day = dayOf((last - age) * DAY_MS);
    days.set(bits, day);
    return day;
  };
}
