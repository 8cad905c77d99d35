/** The causes that are planted into invented sites, with the facts that describe them correctly. */
import type { Slice } from '../../../server/report/causes/combination.ts';

export interface Visit extends Slice {
  ref: string;
  campaign: string;
  class: string;
  device: string;
  language: string;
}

interface Truth {
  slice: Slice;
  measure: 'visits' | 'rate';
  isFall: boolean;
}

/** What a cause changes. Its days are counted from 0; a factor of 1 changes nothing. */
export interface Cause {
  /** Duration. */
  days: number;
  /** Facts of which a correct mail has one first. */
  truths: Truth[];
  /** Factor of the visits in an hour. */
  arrivals?: (day: number, hour: number) => number;
  /** Whether a visit still comes. */
  isKept?: (visit: Visit) => boolean;
  /** Visits from a newsletter, as a multiple of the visits of a usual day. */
  mailed?: (day: number) => number;
  /**
   * Factor of the chance that a visitor presses a button.
   *
   * @param broken the site's factor for a broken button
   */
  presses?: (visit: Visit, cta: string, broken: number) => number;
  /** Whether a program sends clicks without visits. */
  isFlooded?: boolean;
  /** Whether the cause is there on the first of each month, and on no other day. */
  isMonthly?: boolean;
}

/** Days of a lasting cause, more than a month. */
const LASTING = 42;
/** Days of a change that does not end. */
const FOR_GOOD = 1000;
export const SOCIAL = 'facebook / social / awareness';
export const NEWSLETTER = 'newsletter / email';
export const FLOODED = 'clinic-5';

const visitsOf = (slice: Slice, isFall: boolean): Truth => ({ slice, measure: 'visits', isFall });
const rateOf = (slice: Slice, isFall: boolean): Truth => ({ slice, measure: 'rate', isFall });

export const CAUSES = {
  quiet: { days: LASTING, truths: [] },
  outage: {
    days: 2,
    truths: [visitsOf({}, true)],
    arrivals: (day, hour) => ((day === 0 ? hour < 14 : hour >= 20) ? 1 : 0),
  },
  newsletter: {
    days: 2,
    truths: [visitsOf({ campaign: NEWSLETTER }, false)],
    mailed: (day) => (day === 0 ? 5 : 2),
  },
  phones: {
    days: LASTING,
    truths: [rateOf({ device: 'small' }, true)],
    presses: ({ device }, _, broken) => (device === 'small' ? broken : 1),
  },
  spanish: {
    days: LASTING,
    truths: [rateOf({ language: 'es' }, true)],
    presses: ({ language }, _, broken) => (language === 'es' ? broken / 2 : 1),
  },
  'spanish-phones': {
    days: LASTING,
    truths: [rateOf({ device: 'small', language: 'es' }, true)],
    presses: ({ device, language }, _, broken) =>
      device === 'small' && language === 'es' ? broken / 2 : 1,
  },
  buttons: {
    days: LASTING,
    truths: [rateOf({}, true)],
    presses: (_visit, _cta, broken) => broken,
  },
  button: {
    days: LASTING,
    truths: [rateOf({ cta: 'hero' }, true)],
    presses: (_visit, cta) => (cta === 'hero' ? 0.1 : 1),
  },
  'campaign-over': {
    days: LASTING,
    truths: [visitsOf({ campaign: SOCIAL }, true), visitsOf({ class: 'social' }, true)],
    isKept: ({ campaign }) => campaign !== SOCIAL,
  },
  robots: { days: 1, truths: [rateOf({ ref: FLOODED }, false)], isFlooded: true },
  launch: { days: 7, truths: [visitsOf({}, false)], arrivals: () => 4 },
  'level-down': { days: FOR_GOOD, truths: [visitsOf({}, true)], arrivals: () => 0.35 },
  'level-up': { days: FOR_GOOD, truths: [visitsOf({}, false)], arrivals: () => 2.8 },
  monthly: {
    days: 1,
    truths: [visitsOf({ campaign: NEWSLETTER }, false)],
    mailed: () => 5,
    isMonthly: true,
  },
  holiday: { days: 7, truths: [visitsOf({}, true)], arrivals: () => 0.45 },
} satisfies Record<string, Cause>;

export type CauseName = keyof typeof CAUSES;
export const causeOf = (name: CauseName): Cause => CAUSES[name];
