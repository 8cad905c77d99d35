/**
 * Walks the site's public address each hour, and keeps what is wrong: since when, and until when. A
 * step of the walk that fails is repeated three times within four minutes before its fault counts,
 * because single requests fail on every network. A file of the data folder keeps the faults over a
 * restart, and when the portal was last asked.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../time.ts';
import { FAULT_KINDS, joinFaults, type SiteFault } from './site-fault.ts';
import { endsWalk, type Step } from './walk-site.ts';

const knownFaultSchema = z.object({
  id: z.string(),
  kind: z.enum(FAULT_KINDS),
  text: z.string(),
  /** When a walk first met it, and when one met it no more. Milliseconds since 1970. */
  since: z.number(),
  until: z.number().nullable(),
  /**
   * Whether a mail may say it. False where only this server cannot reach the address: people's
   * clicks arrive, or the server has never reached it, or has not for less than an hour.
   */
  isForMail: z.boolean(),
});
export type KnownFault = z.output<typeof knownFaultSchema>;

const stateSchema = z.object({
  /** When the last walk began that asked the portal. */
  portalAskedAt: z.number(),
  /** Whether a walk has ever got an answer from the address. */
  hasReached: z.boolean(),
  faults: z.array(knownFaultSchema),
});
type State = z.output<typeof stateSchema>;

interface Parts {
  site: Pick<BuiltSite, 'siteUrl' | 'timeZone'>;
  /** Keeps the state. */
  file: string;
  log: Pick<Logger, 'info' | 'warn' | 'debug'>;
  now: Clock;
  listSteps(asksPortal: boolean): Promise<Step[]>;
  /** Whether people's visits or clicks have arrived since a time. */
  hasVisitorsSince(since: number): Promise<boolean>;
}

/** Rests between the attempts of a step, before its fault counts. */
const RESTS_MS = [20 * SECOND_MS, MINUTE_MS, 2 * MINUTE_MS];
/** A proxy may not send requests to a server that has just started. */
const AFTER_START_MS = MINUTE_MS;
/** Faults that are over stay for a mail that says so. */
const KEPT_MS = 8 * DAY_MS;

const NO_STATE: State = { portalAskedAt: 0, hasReached: false, faults: [] };

export type SiteWatch = ReturnType<typeof createSiteWatch>;

export function createSiteWatch(parts: Parts) {
  const { site, file, log, now, listSteps, hasVisitorsSince } = parts;
  let state = readState(file);
  /** Null before the first walk of this process has ended. */
  let walkedAt: number | null = null;
  let nextAt = now() + AFTER_START_MS;
  let walk: { startedAt: number; asksPortal: boolean; steps: Step[]; attempts: number } | null =
    null;

  const open = (): KnownFault[] => state.faults.filter(({ until }) => until === null);

  const begin = async () => {
    const startedAt = now();
    const asksPortal = startedAt - state.portalAskedAt >= HOUR_MS;
    const steps = await listSteps(asksPortal);
    if (asksPortal) state = { ...state, portalAskedAt: startedAt };
    save(file, state, log);
    return { startedAt, asksPortal, steps, attempts: 0 };
  };

  const end = async (found: SiteFault[], { startedAt, asksPortal }: NonNullable<typeof walk>) => {
    walkedAt = now();
    const isCutOff = found.some(endsWalk);
    const isLookedAt = ({ id, kind }: KnownFault) =>
      isCutOff ? endsWalk({ id }) : kind !== 'portal' || asksPortal;
    const faults: KnownFault[] = [];
    for (const fault of found) {
      const before = open().find(({ id }) => id === fault.id);
      const since = before?.since ?? startedAt;
      faults.push(await judge({ ...fault, since, until: null, isForMail: true }));
      if (!before) log.warn(`The site's own walk: ${fault.text}`);
    }
    const others = state.faults.filter(
      ({ id, until }) => until !== null || !faults.some((one) => one.id === id),
    );
    for (const one of others) {
      const isOver = one.until === null && isLookedAt(one);
      if (isOver) log.info(`The site's own walk: over. ${one.text}`);
      faults.push(isOver ? { ...one, until: startedAt } : one);
    }
    const kept = faults.filter(({ until }) => until === null || until > startedAt - KEPT_MS);
    state = { ...state, hasReached: state.hasReached || !isCutOff, faults: kept };
    save(file, state, log);
  };

  /** Tells a site that is away from a server that cannot reach its own address. */
  const judge = async (fault: KnownFault): Promise<KnownFault> => {
    if (!endsWalk(fault)) return fault;
    const { siteUrl } = site;
    if (await hasVisitorsSince(fault.since))
      return {
        ...fault,
        isForMail: false,
        text: `this server cannot reach ${siteUrl}, while people's visits arrive: ${fault.text}. The site is not looked at`,
      };
    if (!state.hasReached) return { ...fault, isForMail: false };
    // One hour later it is certain that nobody arrives, also at night.
    return {
      ...fault,
      isForMail: fault.kind === 'certificate' || now() - fault.since > HOUR_MS / 2,
    };
  };

  return {
    /** Does what is due: begins a walk, repeats its failed steps, or nothing. */
    async step(signal: AbortSignal): Promise<void> {
      if (now() < nextAt) return;
      walk ??= await begin();
      const { faults, failed } = await takeSteps(walk.steps, signal);
      if (signal.aborted) return;
      const rest = RESTS_MS[walk.attempts];
      if (failed.length > 0 && rest !== undefined) {
        walk = { ...walk, steps: failed, attempts: walk.attempts + 1 };
        nextAt = now() + rest;
        return;
      }
      await end(joinFaults(faults), walk);
      nextAt = walk.startedAt + HOUR_MS;
      walk = null;
    },
    /** Sentences for operators: `Since 14:05 the button leads to an error of the portal (502).` */
    reasons: (): string[] => open().map((fault) => describeFault(fault, site.timeZone, now())),
    /** The faults that no walk has found to be over. */
    lasting: open,
    /**
     * What mails read: the faults that last, and those that ended in the last eight days. Null
     * before the first walk.
     */
    facts: (): KnownFault[] | null => (walkedAt === null ? null : state.faults),
  };
}

/** A fault that ends the walk leaves the steps behind it for the next attempt. */
async function takeSteps(steps: readonly Step[], signal: AbortSignal) {
  const faults: SiteFault[] = [];
  const failed: Step[] = [];
  for (const [i, step] of steps.entries()) {
    const found = await step(signal);
    if (signal.aborted) break;
    if (found.some(endsWalk)) return { faults: found, failed: steps.slice(i) };
    faults.push(...found);
    if (found.length > 0) failed.push(step);
  }
  return { faults, failed };
}

/** @param now milliseconds since 1970 */
export function describeFault(fault: KnownFault, timeZone: string, now: number): string {
  const { since, until, text } = fault;
  const from = timeOf(since, timeZone, now);
  return until === null
    ? `Since ${from} ${text}.`
    : `From ${from} to ${timeOf(until, timeZone, now)} ${text}.`;
}

/** `14:05`, or `Nov 27, 14:05` for another day. */
function timeOf(at: number, timeZone: string, now: number): string {
  const format = (ms: number, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(ms);
  const time = format(at, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const day = format(at, { month: 'short', day: 'numeric' });
  return day === format(now, { month: 'short', day: 'numeric' }) ? time : `${day}, ${time}`;
}

/** A file that is missing or damaged is as if nothing were known. */
function readState(file: string): State {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return NO_STATE;
  }
}

function save(file: string, state: State, log: Parts['log']): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(state));
    renameSync(`${file}.new`, file);
  } catch (err) {
    log.debug({ err }, 'The faults of the site are not kept over a restart');
  }
}
