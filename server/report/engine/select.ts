/** Chooses lines by the same dimensions that the report counts by. */
import { isoWeek } from '../weeks.ts';
import type { Texts } from './dictionary.ts';
import {
  AT,
  DEVICES,
  FLAG,
  fileOf,
  offsetOf,
  RECORD_WORDS,
  receivedOf,
  SCREENS,
  VIAS,
} from './record.ts';
import { deviceOf, eventOf, kindOf, type Period, screenOf, viaOf } from './tally.ts';

/** Which robots to take: none, only them, or both. */
export type Robots = 'without' | 'only' | 'all';

export interface Filter extends Period {
  /** For text dimensions: the value is one of `is` (if given), and none of `not`. */
  texts: Partial<Record<'event' | 'ref' | 'campaign' | 'domain', TextFilter>>;
  day?: string | undefined;
  /** ISO week, such as 2026-W04. */
  week?: string | undefined;
  /** Hour of the day, UTC. */
  hour?: number | undefined;
  device?: string | undefined;
  screen?: string | undefined;
  via?: string | undefined;
  private?: boolean | undefined;
  robots: Robots;
  /** Lines whose mark differs from the present list of robots. */
  relisted?: boolean | undefined;
  /** The lines that repeat a click, instead of the clicks. */
  duplicates: boolean;
}

export interface TextFilter {
  is?: string[] | undefined;
  not?: string[] | undefined;
}

/** File number and offset of each chosen line, one after the other. */
export function selectLines(
  words: Uint32Array,
  isFirst: Uint8Array,
  matches: (words: Uint32Array, at: number) => boolean,
  duplicates: boolean,
): Float64Array {
  const found: number[] = [];
  for (let record = 0; record < isFirst.length; record += 1) {
    const at = record * RECORD_WORDS;
    if ((isFirst[record] === 0) === duplicates && matches(words, at))
      found.push(fileOf(words, at), offsetOf(words, at));
  }
  return Float64Array.from(found);
}

export function compileFilter(filter: Filter, texts: Texts) {
  const { from, to, hour } = filter;
  const isIn = {
    event: codesOf(texts.event, filter.texts.event),
    ref: codesOf(texts.ref, filter.texts.ref),
    campaign: codesOf(texts.campaign, filter.texts.campaign),
    domain: codesOf(texts.domain, filter.texts.domain),
  };
  const device = filter.device === undefined ? -1 : DEVICES.indexOf(filter.device);
  const screen = filter.screen === undefined ? -1 : SCREENS.indexOf(filter.screen);
  const via = filter.via === undefined ? -1 : VIAS.indexOf(filter.via);
  const matchesDay = dayMatcher(filter);
  return (words: Uint32Array, at: number): boolean => {
    const received = receivedOf(words, at);
    if (received < from || received >= to) return false;
    const flags = words[at + AT.flags] as number;
    const isRobot = (flags & FLAG.robot) !== 0;
    const kind = kindOf(flags);
    return (
      (filter.robots === 'all' || isRobot === (filter.robots === 'only')) &&
      (filter.relisted !== true || kind >= 2) &&
      isIn.event(eventOf(words, at)) &&
      isIn.ref(words[at + AT.ref] as number) &&
      isIn.campaign(words[at + AT.campaign] as number) &&
      isIn.domain(words[at + AT.domain] as number) &&
      (device < 0 || deviceOf(flags) === device) &&
      (screen < 0 || screenOf(flags) === screen) &&
      (via < 0 || viaOf(flags) === via) &&
      (filter.private !== true || (flags & FLAG.private) !== 0) &&
      (hour === undefined || Math.floor((received % 86_400_000) / 3_600_000) === hour) &&
      matchesDay(received)
    );
  };
}

function codesOf(texts: readonly string[], filter: TextFilter | undefined) {
  if (!filter) return () => true;
  const { is, not = [] } = filter;
  const allowed = Uint8Array.from(texts, (text) =>
    (!is || is.includes(text)) && !not.includes(text) ? 1 : 0,
  );
  return (code: number) => allowed[code] === 1;
}

function dayMatcher({ day, week }: Filter): (received: number) => boolean {
  if (day === undefined && week === undefined) return () => true;
  const answers = new Map<number, boolean>();
  return (received) => {
    const number = Math.floor(received / 86_400_000);
    let answer = answers.get(number);
    if (answer === undefined) {
      const name = new Date(number * 86_400_000).toISOString().slice(0, 10);
      answer =
        (day === undefined || name === day) && (week === undefined || isoWeek(name) === week);
      answers.set(number, answer);
    }
    return answer;
  };
}
