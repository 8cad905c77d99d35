/**
 * Generates the table of counts of a site with one planted cause, visit by visit. The caller gives
 * the site's size; the seed draws its other traits: clinics, devices, languages, weekends, noise
 * and trend. To be independent of the code that it tests, it imports only the types of rows from
 * it.
 */
import type { CountRow } from '../../../server/report/causes/counts.ts';
import type { HourRow } from '../../../server/report/causes/find-hole.ts';
import {
  CAUSES,
  type Cause,
  type CauseName,
  causeOf,
  FLOODED,
  NEWSLETTER,
  SOCIAL,
  type Visit,
} from './planted-causes.ts';
import { makeRandom, type Random } from './random.ts';

/**
 * Days before the cause: eight weeks of history, which each rule needs, and eight weeks in which a
 * mail is false.
 */
const DAYS_BEFORE = 112;
/** Days from the cause on: one week of variation of its start, the longest cause, and a month. */
const DAYS_AFTER = 7 + 42 + 30;
const FIRST_DAY = Temporal.PlainDate.from('2026-05-04');
/** Shares of the visits in each hour of a day; their sum is HOURS_SUM. */
const HOURS = [2, 1, 1, 1, 1, 2, 4, 6, 8, 9, 9, 9, 9, 8, 8, 8, 8, 8, 9, 11, 12, 10, 7, 4];
const HOURS_SUM = HOURS.reduce((sum, n) => sum + n, 0);
/** Share of the clicks that no rate contains: those by private visitors, and by `ping`. */
const UNRATED = 0.08;
/** A flood has so many times the clicks of an average day. */
const FLOOD_OF_CLICKS = 8;

export interface Site {
  rows: CountRow[];
  hours: HourRow[];
  /** Index of the first day of the planted cause, and of the first day after it. */
  onset: number;
  end: number;
}

/** Draws the traits of a site. Shares, rates and noise are fractions of 1. */
function drawTraits({ between }: Random) {
  const clinics = Math.round(between(8, 40));
  const zipf = between(0.7, 1.2);
  return {
    clinics: Array.from({ length: clinics }, (_, i) => ({
      share: (i + 1) ** -zipf,
      rate: between(0.7, 1.3),
      phones: between(0.8, 1.2),
    })),
    linkShare: between(0.3, 0.55),
    campaignShare: between(0.12, 0.25),
    phones: between(0.45, 0.75),
    spanish: between(0.15, 0.35),
    rate: between(0.08, 0.2),
    dayNoise: between(0.05, 0.1),
    rateNoise: between(0.02, 0.06),
    /** Autocorrelation of the noise of two successive days. */
    memory: between(0, 0.4),
    /** Growth of the visits in a day. */
    trend: between(-0.0005, 0.0015),
    /** Factor of the visits on a Saturday or Sunday. */
    weekend: between(0.45, 0.95),
    /** Factor of the presses of a button that is broken. */
    broken: between(0.15, 0.35),
  };
}

/**
 * Draws habits that only visitors with two values have. They last as long as the site, so they are
 * no change. From numbers of their own, so that a seed has the same traits with and without them.
 */
function drawHabits({ between }: Random) {
  return {
    /** Factor of the presses on phones that are of the first button. */
    heroOnPhones: between(0.5, 2),
    /** Factor of the presses from search engines that are on help pages. */
    helpFromSearch: between(1, 4),
    /** Factor of the click rate of Spanish visitors on phones. */
    spanishOnPhones: between(0.7, 1.4),
  };
}
type Traits = ReturnType<typeof drawTraits> & ReturnType<typeof drawHabits>;

/**
 * Generates a site.
 *
 * @param name of the planted cause
 * @param clicksADay clicks on an average day
 * @param length number of days before and from the cause on
 */
export function inventSite(
  name: CauseName,
  clicksADay: number,
  seed: number,
  length = { before: DAYS_BEFORE, after: DAYS_AFTER },
): Site {
  const number = seed * 97 + Object.keys(CAUSES).indexOf(name);
  const random = makeRandom(number);
  const traits = { ...drawTraits(random), ...drawHabits(makeRandom(~number)) };
  const cause = causeOf(name);
  const days = length.before + length.after;
  const onset = cause.isMonthly ? 0 : length.before + Math.floor(random.between(0, 7));
  const end = cause.isMonthly ? days : onset + cause.days;
  const usual = clicksADay / traits.rate;
  const [counter, hours] = [createRowCounter(), [] as HourRow[]];
  let noise = 0;
  for (let day = 0; day < days; day++) {
    const date = FIRST_DAY.add({ days: day });
    noise = traits.memory * noise + Math.sqrt(1 - traits.memory ** 2) * random.normal();
    const since = dayOfCause(date, day, { ...cause, onset, end });
    const active: Partial<Cause> = since === null ? {} : cause;
    const dayRate = traits.rate * Math.exp(random.normal() * traits.rateNoise);
    const level =
      usual *
      Math.exp(noise * traits.dayNoise + traits.trend * (day - length.before)) *
      (date.dayOfWeek >= 6 ? traits.weekend : 1);
    const press = makePressDrawer(random, traits, active.presses);
    const enter = (visit: Visit, rate: number) => counter.add(`${date}`, visit, press(visit, rate));
    HOURS.forEach((share, hour) => {
      const factor = active.arrivals?.(since ?? 0, hour) ?? 1;
      const coming = Array.from({ length: random.poisson((factor * level * share) / HOURS_SUM) });
      const visits = coming.map(() => drawVisit(random, traits)).filter(active.isKept ?? Boolean);
      for (const visit of visits) enter(visit, dayRate);
      hours.push({ hour: `${date}T${String(hour).padStart(2, '0')}`, visits: visits.length });
    });
    const mailed = random.poisson(usual * (active.mailed?.(since ?? 0) ?? 0));
    for (let i = 0; i < mailed; i++) enter(drawReader(random, traits), dayRate * 1.3);
    if (active.isFlooded) counter.flood(`${date}`, Math.max(200, FLOOD_OF_CLICKS * clicksADay));
  }
  return { rows: counter.rows(), hours, onset, end };
}

/** Returns the day of the cause, from 0 on; null on days without it. */
function dayOfCause(
  date: Temporal.PlainDate,
  day: number,
  { isMonthly, onset, end }: { isMonthly?: boolean | undefined; onset: number; end: number },
): number | null {
  if (isMonthly) return date.day === 1 ? 0 : null;
  return day >= onset && day < end ? day - onset : null;
}

function drawVisit(random: Random, traits: Traits): Visit {
  const language = random.between(0, 1) < traits.spanish ? 'es' : 'en';
  const way = random.between(0, 1);
  const visit = { ref: 'none', campaign: 'none', class: 'direct', language };
  if (way < traits.linkShare) {
    const i = random.pick(traits.clinics.map(({ share }) => share));
    const device = drawDevice(random, traits.phones * (traits.clinics[i]?.phones ?? 1));
    return { ...visit, ref: `clinic-${i + 1}`, device };
  }
  if (way < traits.linkShare + traits.campaignShare) {
    // Social networks are read on phones.
    const device = drawDevice(random, Math.min(0.9, traits.phones * 1.15));
    return { ...visit, campaign: SOCIAL, class: 'social', device };
  }
  const device = drawDevice(random, traits.phones * 0.9);
  const kind = ['direct', 'search', 'other', 'ads'][random.pick([0.42, 0.36, 0.14, 0.08])];
  if (kind === 'ads') return { ...visit, campaign: 'google / cpc / sma', class: 'search', device };
  return { ...visit, class: kind ?? 'direct', device };
}

const drawReader = (random: Random, traits: Traits): Visit => ({
  ref: 'none',
  campaign: NEWSLETTER,
  class: 'other',
  device: drawDevice(random, traits.phones),
  language: random.between(0, 1) < traits.spanish ? 'es' : 'en',
});

function drawDevice({ between }: Random, phones: number): string {
  if (between(0, 1) < phones) return 'small';
  return between(0, 1) < 0.1 ? 'medium' : 'large';
}

const NO_CHANGE = (_visit: Visit, _cta: string, _broken: number) => 1;

/** Returns a function that draws which button a visitor presses; null: the visitor presses none. */
function makePressDrawer({ between, pick }: Random, traits: Traits, factorOf = NO_CHANGE) {
  return (visit: Visit, rate: number) => {
    const clinic = traits.clinics[Number(visit.ref.slice('clinic-'.length)) - 1];
    const isOnPhone = visit.device === 'small';
    const device = { small: 0.95, medium: 1 }[visit.device] ?? 1.07;
    const language = isOnPhone && visit.language === 'es' ? traits.spanishOnPhones : 1;
    const way = clinic ? 1.1 * clinic.rate : 0.92;
    if (between(0, 1) >= rate * device * language * way) return null;
    const hero = 0.55 * (isOnPhone ? traits.heroOnPhones : 1);
    const help = 0.15 * (visit.class === 'search' ? traits.helpFromSearch : 1);
    const cta = ['hero', 'closing', 'help'][pick([hero, 0.3, help])] ?? 'hero';
    if (between(0, 1) >= factorOf(visit, cta, traits.broken)) return null;
    return { cta, isRated: between(0, 1) >= UNRATED };
  };
}

/** Adds up visits and clicks to rows of the table. */
function createRowCounter() {
  const rows = new Map<string, CountRow>();
  const rowOf = (day: string, visit: Visit, cta: string): CountRow => {
    const { ref, campaign, class: kind, device, language } = visit;
    const key = [day, ref, campaign, kind, device, language, cta].join();
    const row = rows.get(key) ?? { ...visit, day, cta, visits: 0, clicks: 0, rated: 0 };
    rows.set(key, row);
    return row;
  };
  return {
    rows: () => [...rows.values()],
    add(day: string, visit: Visit, press: { cta: string; isRated: boolean } | null): void {
      rowOf(day, visit, '').visits += 1;
      if (press === null) return;
      const row = rowOf(day, visit, press.cta);
      row.clicks += 1;
      row.rated += Number(press.isRated);
    },
    /** Adds clicks without visits, as a program sends them. */
    flood(day: string, clicks: number): void {
      const visit = { ref: FLOODED, campaign: 'none', class: 'direct', language: 'en' };
      const row = rowOf(day, { ...visit, device: 'large' }, 'hero');
      row.clicks += clicks;
      row.rated += clicks;
    },
  };
}
